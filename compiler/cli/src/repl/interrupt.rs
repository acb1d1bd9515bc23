//! Work that Ctrl-C stops.
//!
//! The work runs on its own thread. Ctrl-C sets a stop flag, which the code of every backend polls. Work that does not stop soon
//! continues in the background.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use ravel_driver::{Problems, guarded, on_large_stack};

/// The interval of checks for Ctrl-C.
const POLL: Duration = Duration::from_millis(20);

/// How long interrupted work may take to stop. After that it continues in the background.
const GRACE_PERIOD: Duration = Duration::from_millis(500);

/// Counts each Ctrl-C, instead of ending the process.
#[derive(Clone, Default)]
pub struct Interrupts(Arc<AtomicUsize>);

/// Passes a stop request to the work.
#[derive(Default)]
pub struct Stop {
    requested: AtomicBool,
    flag: OnceLock<Arc<AtomicBool>>,
}

/// The reason why the work has no result.
pub enum Abort {
    /// Ctrl-C interrupted the work.
    Interrupted {
        /// Whether it still runs in the background.
        still_running: bool,
    },
    /// A bug of the compiler.
    Bug(Problems),
    /// The system has no thread for the work.
    NoThread(std::io::Error),
}

impl Interrupts {
    /// Installs a handler for Ctrl-C. If the system does not allow that, Ctrl-C ends the process.
    pub fn catch() -> Interrupts {
        let interrupts = Interrupts::default();
        let count = interrupts.0.clone();
        let _ = ctrlc::set_handler(move || {
            count.fetch_add(1, Ordering::SeqCst);
        });
        interrupts
    }

    /// The number of interruptions so far.
    pub fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    /// Runs the work.
    ///
    /// # Errors
    /// The work was interrupted or could not start, or the compiler has a bug.
    pub fn run<T: Send + 'static>(&self, work: impl FnOnce(&Stop) -> T + Send + 'static) -> Result<T, Abort> {
        let before = self.count();
        let stop = Arc::new(Stop::default());
        let (sender, receiver) = channel();
        let watched = stop.clone();
        let work = move || {
            let result = on_large_stack(move || guarded("the session", || work(&watched)));
            let _ = sender.send(result);
        };
        std::thread::Builder::new().spawn(work).map_err(Abort::NoThread)?;
        let mut requested: Option<Instant> = None;
        loop {
            match receiver.recv_timeout(POLL) {
                Ok(result) if requested.is_none() => return result.map_err(Abort::Bug),
                Ok(_) => return Err(Abort::Interrupted { still_running: false }),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Abort::Interrupted { still_running: false });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            match requested {
                None if self.count() != before => {
                    stop.request();
                    requested = Some(Instant::now());
                }
                Some(since) if since.elapsed() > GRACE_PERIOD => {
                    return Err(Abort::Interrupted { still_running: true });
                }
                _ => {}
            }
        }
    }
}

impl Stop {
    /// Registers the flag to set on a stop request.
    pub fn register(&self, flag: Arc<AtomicBool>) {
        let flag = self.flag.get_or_init(|| flag);
        if self.requested.load(Ordering::SeqCst) {
            flag.store(true, Ordering::SeqCst);
        }
    }

    fn request(&self) {
        self.requested.store(true, Ordering::SeqCst);
        if let Some(flag) = self.flag.get() {
            flag.store(true, Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interrupted_soon() -> Interrupts {
        let interrupts = Interrupts::default();
        let count = interrupts.0.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            count.fetch_add(1, Ordering::SeqCst);
        });
        interrupts
    }

    #[test]
    fn the_result_of_the_work_is_returned() {
        assert!(matches!(Interrupts::default().run(|_| 3), Ok(3)));
        assert!(matches!(Interrupts::default().run(|_| -> i32 { panic!("no") }), Err(Abort::Bug(_))));
    }

    #[test]
    fn work_that_polls_the_flag_is_stopped() {
        let outcome = interrupted_soon().run(|stop| {
            let flag = Arc::new(AtomicBool::new(false));
            stop.register(flag.clone());
            while !flag.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
        });
        assert!(matches!(outcome, Err(Abort::Interrupted { still_running: false })));
    }

    #[test]
    fn work_that_does_not_stop_continues_in_the_background() {
        let begin = Instant::now();
        let outcome = interrupted_soon().run(|_| std::thread::sleep(Duration::from_secs(20)));
        assert!(matches!(outcome, Err(Abort::Interrupted { still_running: true })));
        assert!(begin.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_flag_registered_after_the_request_is_set() {
        let stop = Stop::default();
        stop.request();
        let flag = Arc::new(AtomicBool::new(false));
        stop.register(flag.clone());
        assert!(flag.load(Ordering::SeqCst));
    }
}
