//! Stack sizes of threads, and the stack limit of generated code.

use std::cell::Cell;

/// The sizes of stacks to try, largest first: the system may not grant a large one. Unused pages cost nothing.
pub const SIZES: [usize; 3] = [1 << 28, 1 << 26, 1 << 24];

/// The reserve below the limit, for the frame that crosses it, for services, and for the
/// chunks that a thread runs while it waits for others.
const RESERVE: usize = 1 << 22;

thread_local! {
    static LIMIT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Each thread calls this when it starts, with the size of its stack.
pub fn begin(size: usize) {
    let here = 0_u8;
    LIMIT.set(std::ptr::from_ref(&here).addr().saturating_sub(size - RESERVE));
}

/// The stack limit of this thread.
pub fn limit() -> usize {
    LIMIT.get()
}
