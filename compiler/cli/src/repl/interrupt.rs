//! Work that Ctrl-C ends.
//!
//! The work is done by a thread of its own. When somebody interrupts it, it is asked to stop, which code
//! on every backend looks for; if it does not come to that soon, it is left alone in the background.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use ravel_driver::{Problems, guarded, on_large_stack};

/// How often it is looked whether somebody has interrupted.
const POLL: Duration = Duration::from_millis(20);

/// How long work may take to stop.
const PATIENCE: Duration = Duration::from_millis(500);

/// Notes each Ctrl-C, instead of ending the process.
#[derive(Clone, Default)]
pub struct Interrupts(Arc<AtomicUsize>);

/// How work asks whether it shall stop.
#[derive(Default)]
pub struct Stop {
    asked: AtomicBool,
    flag: OnceLock<Arc<AtomicBool>>,
}

/// Why there is no result.
pub enum Broken {
    /// Somebody interrupted the work.
    Interrupted {
        /// Did it go on all the same?
        goes_on: bool,
    },
    /// It was the compiler's fault.
    Bug(Problems),
}

impl Interrupts {
    /// From now on. Where the system does not allow it, Ctrl-C ends the process as ever.
    pub fn catch() -> Interrupts {
        let interrupts = Interrupts::default();
        let count = interrupts.0.clone();
        let _ = ctrlc::set_handler(move || {
            count.fetch_add(1, Ordering::SeqCst);
        });
        interrupts
    }

    /// How often somebody has interrupted.
    pub fn so_far(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    /// Does the work.
    ///
    /// # Errors
    /// Why there is no result.
    pub fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Result<T, Broken> {
        let before = self.so_far();
        let stop = Arc::new(Stop::default());
        let (sender, receiver) = channel();
        let watched = stop.clone();
        std::thread::spawn(move || {
            let result = on_large_stack(move || guarded("the session", || work(&watched)));
            let _ = sender.send(result);
        });
        let mut asked: Option<Instant> = None;
        loop {
            match receiver.recv_timeout(POLL) {
                Ok(result) if asked.is_none() => return result.map_err(Broken::Bug),
                Ok(_) => return Err(Broken::Interrupted { goes_on: false }),
                Err(RecvTimeoutError::Disconnected) => return Err(Broken::Interrupted { goes_on: false }),
                Err(RecvTimeoutError::Timeout) => {}
            }
            match asked {
                None if self.so_far() != before => {
                    stop.ask();
                    asked = Some(Instant::now());
                }
                Some(since) if since.elapsed() > PATIENCE => {
                    return Err(Broken::Interrupted { goes_on: true });
                }
                _ => {}
            }
        }
    }
}

impl Stop {
    /// Sets this flag when the work shall stop.
    pub fn sets(&self, flag: Arc<AtomicBool>) {
        let flag = self.flag.get_or_init(|| flag);
        if self.asked.load(Ordering::SeqCst) {
            flag.store(true, Ordering::SeqCst);
        }
    }

    fn ask(&self) {
        self.asked.store(true, Ordering::SeqCst);
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
    fn work_gives_its_result() {
        assert!(matches!(Interrupts::default().run(|_| 3), Ok(3)));
        assert!(matches!(Interrupts::default().run(|_| -> i32 { panic!("no") }), Err(Broken::Bug(_))));
    }

    #[test]
    fn work_that_listens_is_stopped() {
        let outcome = interrupted_soon().run(|stop| {
            let flag = Arc::new(AtomicBool::new(false));
            stop.sets(flag.clone());
            while !flag.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
        });
        assert!(matches!(outcome, Err(Broken::Interrupted { goes_on: false })));
    }

    #[test]
    fn work_that_does_not_listen_is_left_alone() {
        let begin = Instant::now();
        let outcome = interrupted_soon().run(|_| std::thread::sleep(Duration::from_secs(20)));
        assert!(matches!(outcome, Err(Broken::Interrupted { goes_on: true })));
        assert!(begin.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn who_listens_late_is_told_at_once() {
        let stop = Stop::default();
        stop.ask();
        let flag = Arc::new(AtomicBool::new(false));
        stop.sets(flag.clone());
        assert!(flag.load(Ordering::SeqCst));
    }
}
