//! Where tests run, and for how long.
//!
//! A test that takes too long is stopped. The interpreter and code for the processor listen to that. A kernel
//! does not: its call comes back, but the device goes on with it, for ever if it has no end. So the tests that
//! follow get another engine, and the old one is never dropped, since to drop it is to wait for the kernel.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ravel_driver::{Options, Source};
use ravel_engine::{Backend, Engine, Error, Executable, Failure};

/// A backend, with the engine that runs there.
pub struct Station {
    /// The backend.
    pub backend: Backend,
    engine: Mutex<Arc<Engine>>,
    open: Box<dyn Fn() -> Result<Engine, Failure> + Send + Sync>,
    turn: Mutex<()>,
}

/// A program that was compiled at a station.
pub struct Compiled {
    /// The program.
    pub executable: Executable,
    engine: Arc<Engine>,
}

impl Station {
    /// Opens the engine of a backend; another one is opened alike.
    ///
    /// # Errors
    /// Why it cannot be opened.
    pub fn new(
        backend: Backend,
        open: impl Fn() -> Result<Engine, Failure> + Send + Sync + 'static,
    ) -> Result<Station, Failure> {
        let engine = Mutex::new(Arc::new(open()?));
        Ok(Station { backend, engine, open: Box::new(open), turn: Mutex::new(()) })
    }

    /// The engine of those that begin now.
    pub fn engine(&self) -> Arc<Engine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Compiles a program. Its calls end when the flag is set.
    ///
    /// # Errors
    /// As [`Engine::compile`].
    pub fn compile(&self, source: &Source, stop: &Arc<AtomicBool>) -> Result<Compiled, Error> {
        let engine = self.engine();
        let executable = engine.compile(source, &Options::default())?.stopped_by(stop.clone());
        Ok(Compiled { executable, engine })
    }

    /// Waits until no other test runs on the device. Where tests may run side by side, they do.
    pub fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        let alone = self.backend == Backend::Gpu;
        alone.then(|| self.turn.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Compiles a program anew if its engine was given up since; gives whether it was.
    ///
    /// # Errors
    /// As [`Engine::compile`].
    pub fn refresh(
        &self,
        compiled: &mut Compiled,
        source: &Source,
        stop: &Arc<AtomicBool>,
    ) -> Result<bool, Error> {
        let is_old = !Arc::ptr_eq(&compiled.engine, &self.engine());
        if is_old {
            *compiled = self.compile(source, stop)?;
        }
        Ok(is_old)
    }

    /// Discards the engine if a stopped test still runs on it.
    pub fn give_up(&self) {
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        if !engine.is_idle()
            && let Ok(other) = (self.open)()
        {
            std::mem::forget(std::mem::replace(&mut *engine, Arc::new(other)));
        }
    }
}

/// How long a test may take, and how what runs learns that its time is over.
pub struct Limit {
    time: Duration,
    stop: Arc<AtomicBool>,
}

impl Limit {
    /// A limit.
    pub fn new(time: Duration) -> Limit {
        Limit { time, stop: Arc::default() }
    }

    /// The flag that is set when the time is over.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// Does a test.
    ///
    /// # Errors
    /// What to say of one whose time was over.
    pub fn watch<T>(&self, test: impl FnOnce() -> T) -> Result<T, String> {
        let (done, watched) = mpsc::channel::<()>();
        let outcome = std::thread::scope(|scope| {
            scope.spawn(move || {
                if watched.recv_timeout(self.time) == Err(RecvTimeoutError::Timeout) {
                    self.stop.store(true, Ordering::SeqCst);
                }
            });
            let outcome = test();
            drop(done);
            outcome
        });
        match self.stop.swap(false, Ordering::SeqCst) {
            true => Err(format!(
                "it was stopped after {} s; --timeout says how long a test may take",
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
        let said = limit.watch(waits).expect_err("it does not end by itself");
        assert!(said.starts_with("it was stopped after 0.02 s"), "{said}");
        assert_eq!(limit.watch(|| 3), Ok(3));
    }
}
