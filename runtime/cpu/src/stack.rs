//! How deep calls may go: the stacks of the threads, and where each of them ends for generated code.

use std::cell::Cell;

/// The size of a stack. What a thread does not use costs nothing.
pub const BYTES: usize = 1 << 28;

/// What lies below the limit: room for the frame that reaches below it, for services, and for the
/// chunks that a thread runs while it waits for others.
const RESERVE: usize = 1 << 22;

thread_local! {
    static LIMIT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// To be called by a thread when it begins.
pub fn begin() {
    let here = 0_u8;
    LIMIT.set(std::ptr::from_ref(&here).addr().saturating_sub(BYTES - RESERVE));
}

/// The stack limit of this thread.
pub fn limit() -> usize {
    LIMIT.get()
}
