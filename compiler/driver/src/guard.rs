//! Catches panics of the compiler and reports them as bug diagnostics.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, Once};

use ravel_abi::memory;
use ravel_base::{Diagnostic, LARGE_STACK};

use crate::source::Problems;

/// Stack sizes to try, largest first: the compiler recurses over nested programs, and the system may not grant a large stack.
const STACKS: [usize; 4] = [LARGE_STACK, 1 << 28, 1 << 26, 1 << 24];

thread_local! {
    /// Whether this thread is inside [`guard`].
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    /// The message and place of the last caught panic of this thread.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `work` on a thread whose stack is large enough for any program within the nesting limit.
///
/// # Panics
/// If `work` panics.
pub fn on_large_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let waiting = Arc::new(Mutex::new(Some(work)));
    let take = |waiting: &Mutex<Option<_>>| waiting.lock().ok().and_then(|mut work| work.take());
    for size in STACKS {
        let waiting = Arc::clone(&waiting);
        let builder = std::thread::Builder::new().name("ravel".to_owned()).stack_size(size);
        if memory::check_room_for_stacks(1, size).is_err() {
            continue;
        }
        if let Ok(thread) = builder.spawn(move || take(&waiting).map(|work| work())) {
            match thread.join() {
                Ok(Some(value)) => return value,
                Ok(None) => break,
                Err(payload) => panic::resume_unwind(payload),
            }
        }
    }
    match take(&waiting) {
        Some(work) => work(),
        None => unreachable!("a thread that has taken the work gives its result"),
    }
}

/// Whether the system grants this many threads of [`on_large_stack`] the largest stack.
pub fn has_room_for_stacks(threads: usize) -> bool {
    memory::check_room_for_stacks(threads, LARGE_STACK).is_ok()
}

/// Runs a whole job; a panic outside any stage becomes a bug diagnostic too.
///
/// # Errors
/// The bug.
pub fn guarded<T>(job: &str, work: impl FnOnce() -> T) -> Result<T, Problems> {
    guard(job, work).map_err(|bug| Problems { sources: Default::default(), diagnostics: vec![bug] })
}

/// Runs a stage; a panic in it becomes a bug diagnostic.
pub fn guard<T>(stage: &str, work: impl FnOnce() -> T) -> Result<T, Diagnostic> {
    remember_panics();
    LAST.take();
    let outer = GUARDED.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(outer);
    outcome.map_err(|payload| {
        let what = LAST.take().unwrap_or_else(|| panic_message(&*payload));
        Diagnostic::bug(format!("{stage} failed: {what}"))
    })
}

/// The message of a panic that was propagated from another thread.
fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|&text| text.to_owned());
    text.or_else(|| payload.downcast_ref().cloned()).unwrap_or_else(|| "it gave no reason".to_owned())
}

/// Installs a panic hook that stores the message of a panic inside a guard instead of printing it.
fn remember_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if GUARDED.get() {
                LAST.set(Some(info.to_string().replace('\n', " ")));
            } else {
                usual(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_diagnostic() {
        let caught = on_large_stack(|| guard("simplify", || -> i32 { panic!("no rule for this") }));
        let message = caught.expect_err("it panicked").message;
        assert!(message.contains("simplify failed") && message.contains("no rule for this"), "{message}");
    }

    #[test]
    fn a_panic_of_a_helper_thread_becomes_a_diagnostic() {
        let helper = || std::thread::scope(|scope| scope.spawn(|| panic!("no code")).join());
        let caught = guard("code", || helper().unwrap_or_else(|payload| panic::resume_unwind(payload)));
        let message = caught.expect_err("it panicked").message;
        assert!(message.contains("code failed: no code"), "{message}");
    }
}
