//! Stack sizes of threads, and the stack limit of generated code.

use std::cell::Cell;

/// The sizes of stacks to try, largest first: the system may not grant a large one. Unused pages cost nothing.
pub const SIZES: [usize; 3] = [1 << 28, 1 << 26, 1 << 24];

/// The bytes of a stack below the limit. They hold the frames of the services that generated code calls.
const RESERVE: usize = 1 << 22;

thread_local! {
    /// Before a thread sets its limit, the limit is the highest address, so generated code fails as on a full stack.
    static LIMIT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Sets the stack limit of this thread, whose stack has `size` bytes. Each thread calls this when it starts.
pub fn begin(size: usize) {
    let here = 0_u8;
    LIMIT.set(std::ptr::from_ref(&here).addr().saturating_sub(size - RESERVE));
}

/// The lowest address to which generated code may extend the stack of this thread.
pub fn limit() -> usize {
    LIMIT.get()
}
