//! Faults of the compiler itself: caught, and told as such.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use ravel_base::Diagnostic;

/// How much stack the compiler may use: deep programs are compiled by recursion.
const STACK: usize = 1 << 30;

thread_local! {
    /// Is this thread inside [`guard`]?
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    /// What the last caught panic of this thread said, and where.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `work` on a thread whose stack is large enough for any program within the nesting limit.
///
/// # Panics
/// When `work` does.
pub fn on_large_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().name("ravel".to_owned()).stack_size(STACK).spawn(work);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(value)) => value,
        Ok(Err(payload)) => panic::resume_unwind(payload),
        Err(trouble) => panic!("cannot start a thread: {trouble}"),
    }
}

/// Runs a stage; a panic in it is a bug of the compiler, reported as a diagnostic.
pub fn guard<T>(stage: &str, work: impl FnOnce() -> T) -> Result<T, Diagnostic> {
    remember_panics();
    LAST.take();
    let outer = GUARDED.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(outer);
    outcome.map_err(|_| {
        let what = LAST.take().unwrap_or_else(|| "it gave no reason".to_owned());
        Diagnostic::bug(format!("{stage} failed: {what}"))
    })
}

/// Keeps what panics say inside a guard, instead of printing it.
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
}
