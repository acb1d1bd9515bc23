//! Teams: the threads that run a parallel region together.
//!
//! The host opens a region, runs its task and closes it. *Helpers* are jobs on other threads of the pool. A helper joins
//! the open region and runs the same task. It then waits a while for the next region before its thread sleeps, because to
//! wake a thread takes longer than many a region. The host waits only for helpers that have joined, so a region never
//! waits for a thread to wake.

use std::hint::spin_loop;
use std::ptr::{self, null_mut};
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// What all threads of a region run. It gets the number of the thread; the host has number 0.
type Task<'a> = &'a (dyn Fn(usize) + Sync);

/// How often a helper looks for the next region, and the host for the end of a helper, before the thread sleeps: 30 to
/// 100 µs, depending on the processor.
const PATIENCE: u32 = 2048;

/// The most helpers of a team.
const MOST: usize = (JOINED / HELPER - 1) as usize;

// The parts of the state. One word has them all, so that the host and the helpers agree on every change.
/// A region is open.
const OPEN: u64 = 1;
/// The host sleeps until the last helper leaves the region.
const ASLEEP: u64 = 1 << 1;
/// The call is over.
const OVER: u64 = 1 << 2;
/// One helper that exists.
const HELPER: u64 = 1 << 8;
/// One helper that has joined the region.
const JOINED: u64 = 1 << 24;
/// One region, in the number of the last one that was opened.
const REGION: u64 = 1 << 40;

/// The threads that work for one call.
#[derive(Default)]
pub struct Team(Arc<Shared>);

/// What the host and the helpers of a team share.
struct Shared {
    state: AtomicU64,
    /// The task of the open region, on the stack of the host.
    task: AtomicPtr<Task<'static>>,
    /// The host holds it while it decides to sleep.
    sleep: Mutex<()>,
    /// The last helper has left the region.
    left: Condvar,
}

impl Default for Shared {
    fn default() -> Shared {
        Shared {
            state: AtomicU64::new(0),
            task: AtomicPtr::new(null_mut()),
            sleep: Mutex::default(),
            left: Condvar::default(),
        }
    }
}

impl Team {
    /// Runs a task on this thread, which belongs to a pool, and on at most `helpers` other threads of the pool. Some or all
    /// of them may come too late to take part.
    pub fn run(&self, helpers: usize, task: Task) {
        if helpers == 0 {
            return task(0);
        }
        let open = self.open(helpers.min(MOST), &task);
        task(0);
        drop(open);
    }

    /// Opens a region, and starts the helpers that are missing.
    fn open<'t>(&'t self, helpers: usize, task: &'t Task<'t>) -> Open<'t> {
        let shared = &self.0;
        shared.task.store(ptr::from_ref(task).cast_mut().cast(), Ordering::Relaxed);
        let missing = |state: u64| helpers.saturating_sub(existing(state));
        let before = shared.state.update(Ordering::AcqRel, Ordering::Relaxed, |state| {
            (state.wrapping_add(REGION) | OPEN) + missing(state) as u64 * HELPER
        });
        for number in existing(before)..helpers {
            let shared = Arc::clone(shared);
            rayon::spawn(move || shared.help(number + 1));
        }
        Open(shared)
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        self.0.state.fetch_or(OVER, Ordering::Relaxed);
    }
}

/// An open region. It closes when this value is dropped, also if the task panics.
struct Open<'t>(&'t Shared);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Shared {
    /// Closes the region, and waits until all helpers that have joined it have left it.
    fn close(&self) {
        let mut state = self.state.fetch_and(!OPEN, Ordering::Acquire);
        for _ in 0..PATIENCE {
            if joined(state) == 0 {
                return;
            }
            spin_loop();
            state = self.state.load(Ordering::Acquire);
        }
        let mut sleep = self.sleep.lock().unwrap_or_else(PoisonError::into_inner);
        state = self.state.fetch_or(ASLEEP, Ordering::Acquire);
        while joined(state) != 0 {
            sleep = self.left.wait(sleep).unwrap_or_else(PoisonError::into_inner);
            state = self.state.load(Ordering::Acquire);
        }
        self.state.fetch_and(!ASLEEP, Ordering::Relaxed);
    }

    /// The job of helper `number`.
    fn help(&self, number: usize) {
        let mut last = None;
        while let Some(region) = self.join(last) {
            last = Some(region);
            let _joined = Joined(self);
            // SAFETY: the host has stored the task before it opened the region, which this helper has acquired by joining. The
            // host keeps the task until the helper leaves, since it closes the region first, also if it panics.
            let task = unsafe { *self.task.load(Ordering::Relaxed) };
            task(number);
        }
    }

    /// Joins the next region after `last`, and returns its number. If none opens for a while, the helper ends.
    fn join(&self, last: Option<u64>) -> Option<u64> {
        let mut patience = PATIENCE;
        loop {
            let state = self.state.load(Ordering::Relaxed);
            let region = state / REGION;
            let (next, joined) = if state & OPEN != 0 && last != Some(region) {
                (state + JOINED, Some(region))
            } else if patience > 0 && state & OVER == 0 {
                patience -= 1;
                spin_loop();
                continue;
            } else {
                (state - HELPER, None)
            };
            // If a region has opened since, the helper does not end: the host counts on it.
            if self.state.compare_exchange_weak(state, next, Ordering::Acquire, Ordering::Relaxed).is_ok() {
                return joined;
            }
        }
    }
}

/// A helper in a region. It leaves when this value is dropped, also if the task panics.
struct Joined<'t>(&'t Shared);

impl Drop for Joined<'_> {
    fn drop(&mut self) {
        let before = self.0.state.fetch_sub(JOINED, Ordering::Release);
        if joined(before) == 1 && before & ASLEEP != 0 {
            let _sleep = self.0.sleep.lock().unwrap_or_else(PoisonError::into_inner);
            self.0.left.notify_one();
        }
    }
}

/// The number of helpers that exist.
fn existing(state: u64) -> usize {
    (state / HELPER % (JOINED / HELPER)) as usize
}

/// The number of helpers that have joined the region.
fn joined(state: u64) -> u64 {
    state / JOINED % (REGION / JOINED)
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;

    use rayon::ThreadPool;

    use super::*;

    fn pool(threads: usize) -> ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
    }

    #[test]
    fn all_threads_take_part_and_have_left_when_the_region_ends() {
        pool(3).install(|| {
            let team = Team::default();
            for _ in 0..100 {
                let (begun, ended) = (Barrier::new(3), AtomicU64::new(0));
                team.run(2, &|_| {
                    begun.wait();
                    ended.fetch_add(1, Ordering::Relaxed);
                });
                assert_eq!(ended.into_inner(), 3);
            }
        });
    }

    #[test]
    fn helpers_come_back_after_they_have_ended_or_the_host_has_slept() {
        pool(2).install(|| {
            let team = Team::default();
            for pause in [0, 1, 20, 1] {
                let begun = Barrier::new(2);
                team.run(1, &|thread| {
                    begun.wait();
                    if thread > 0 {
                        pause_ms(pause);
                    }
                });
                pause_ms(pause);
            }
        });
    }

    #[test]
    fn a_region_does_not_wait_for_helpers_that_never_come() {
        pool(1).install(|| {
            let team = Team::default();
            for _ in 0..3 {
                let runs = AtomicU64::new(0);
                team.run(1, &|_| {
                    runs.fetch_add(1, Ordering::Relaxed);
                });
                assert_eq!(runs.into_inner(), 1);
            }
        });
    }

    #[test]
    fn teams_of_one_pool_do_not_wait_for_each_other() {
        let runs = AtomicU64::new(0);
        let call = || {
            let team = Team::default();
            for _ in 0..1000 {
                team.run(1, &|thread| _ = runs.fetch_add(u64::from(thread == 0), Ordering::Relaxed));
            }
        };
        pool(2).install(|| rayon::join(call, || rayon::join(call, call)));
        assert_eq!(runs.into_inner(), 3000);
    }

    #[test]
    fn a_panic_of_the_host_closes_the_region() {
        pool(2).install(|| {
            let team = Team::default();
            let fails = catch_unwind(AssertUnwindSafe(|| team.run(1, &|thread| assert_ne!(thread, 0))));
            assert!(fails.is_err());
            assert_eq!(team.0.state.load(Ordering::Relaxed) & OPEN, 0);
        });
    }

    #[expect(clippy::disallowed_methods, reason = "a test of what happens after a while")]
    fn pause_ms(time: u64) {
        std::thread::sleep(std::time::Duration::from_millis(time));
    }
}
