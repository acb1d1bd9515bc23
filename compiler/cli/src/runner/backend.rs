//! The backend that runs tests, and their time limit.
//!
//! A test that exceeds the limit is stopped. The interpreter and native code poll a stop flag. A GPU kernel does not: its call
//! returns, but the device may execute the kernel for ever. So later tests get a new engine. The old one is leaked, since
//! dropping it would wait for the kernel.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ravel_driver::{Options, Source};
use ravel_engine::{Backend, Engine, Error, Executable, Failure};

/// A backend with its engine.
pub struct TestBackend {
    /// The backend.
    pub kind: Backend,
    /// The options of the compiler.
    pub options: Options,
    engine: Mutex<Arc<Engine>>,
    open: Box<dyn Fn() -> Result<Engine, Failure> + Send + Sync>,
    device: Mutex<()>,
}

/// A program compiled for a test backend, with the engine that it runs on.
pub struct TestProgram {
    /// The program.
    pub executable: Executable,
    engine: Arc<Engine>,
}

impl TestBackend {
    /// Opens the engine of a backend; `open` also opens replacements.
    ///
    /// # Errors
    /// The engine cannot be opened.
    pub fn new(
        kind: Backend,
        options: Options,
        open: impl Fn() -> Result<Engine, Failure> + Send + Sync + 'static,
    ) -> Result<TestBackend, Failure> {
        let engine = Mutex::new(Arc::new(open()?));
        Ok(TestBackend { kind, options, engine, open: Box::new(open), device: Mutex::new(()) })
    }

    /// The current engine.
    pub fn engine(&self) -> Arc<Engine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Compiles a program whose calls end when the flag is set.
    ///
    /// # Errors
    /// As [`Engine::compile`].
    pub fn compile(&self, source: &Source, stop: &Arc<AtomicBool>) -> Result<TestProgram, Error> {
        let engine = self.engine();
        let executable = engine.compile(source, &self.options)?.stopped_by(stop.clone());
        Ok(TestProgram { executable, engine })
    }

    /// Waits until no other test runs on the GPU; tests on other backends may run in parallel.
    pub fn device_lock(&self) -> Option<MutexGuard<'_, ()>> {
        let is_exclusive = self.kind == Backend::Gpu;
        is_exclusive.then(|| self.device.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Recompiles a program if its engine has been replaced; returns whether it was.
    ///
    /// # Errors
    /// As [`Engine::compile`].
    pub fn refresh(
        &self,
        compiled: &mut TestProgram,
        source: &Source,
        stop: &Arc<AtomicBool>,
    ) -> Result<bool, Error> {
        let is_old = !Arc::ptr_eq(&compiled.engine, &self.engine());
        if is_old {
            *compiled = self.compile(source, stop)?;
        }
        Ok(is_old)
    }

    /// Replaces the engine if a stopped test still runs on it.
    pub fn replace_busy_engine(&self) {
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        if !engine.is_idle()
            && let Ok(other) = (self.open)()
        {
            std::mem::forget(std::mem::replace(&mut *engine, Arc::new(other)));
        }
    }
}

/// The time limit of a test, with the flag that stops it.
pub struct Limit {
    time: Duration,
    stop: Arc<AtomicBool>,
}

impl Limit {
    /// A limit of this duration.
    pub fn new(time: Duration) -> Limit {
        Limit { time, stop: Arc::default() }
    }

    /// The flag that is set at the limit.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// Runs a test within the limit.
    ///
    /// # Errors
    /// The message for a test that reached the limit, or whose time cannot be limited.
    pub fn run<T>(&self, test: impl FnOnce() -> T) -> Result<T, String> {
        let (done, watched) = mpsc::channel::<()>();
        let outcome = std::thread::scope(|scope| {
            let watch = move || {
                if watched.recv_timeout(self.time) == Err(RecvTimeoutError::Timeout) {
                    self.stop.store(true, Ordering::SeqCst);
                }
            };
            let watcher = std::thread::Builder::new().spawn_scoped(scope, watch);
            watcher.map_err(|error| format!("no thread for the time limit: {error}"))?;
            let outcome = test();
            drop(done);
            Ok::<T, String>(outcome)
        })?;
        match self.stop.swap(false, Ordering::SeqCst) {
            true => Err(format!(
                "it was stopped after {} s; --timeout sets the time limit of a test",
                self.time.as_secs_f64()
            )),
            false => Ok(outcome),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_takes_too_long_is_stopped_and_the_next_one_is_not() {
        let limit = Limit::new(Duration::from_millis(20));
        let waits = || {
            while !limit.flag().load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
        };
        let message = limit.run(waits).expect_err("it waits for the flag");
        assert!(message.starts_with("it was stopped after 0.02 s"), "{message}");
        assert_eq!(limit.run(|| 3), Ok(3));
    }
}
