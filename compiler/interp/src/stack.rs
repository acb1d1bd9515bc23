//! The interpreter's stack: its size, and the check for overflow.
//!
//! Bodies nest on the machine's stack, through calls too. The limit is on the bytes of the stack, not on the depth of calls:
//! recursion of a function with small frames may be deeper than that of one with large frames.

use std::cell::Cell;

/// The sizes to try, in bytes, largest first: a system may grant less. Pages that are not used cost nothing.
pub const SIZES: [usize; 4] = [1 << 29, 1 << 28, 1 << 26, 1 << 24];

/// The bytes below the limit: room for the body that crosses it, and for the evaluation of one statement.
const RESERVE: usize = 1 << 22;

thread_local! {
    static LIMIT: Cell<usize> = const { Cell::new(0) };
}

/// Sets the limit. A thread calls it when it begins, with the size of its stack.
pub fn begin(size: usize) {
    LIMIT.set(here().saturating_sub(size - RESERVE));
}

/// Is there no room for another body?
pub fn is_full() -> bool {
    here() < LIMIT.get()
}

/// The address of the top of the stack.
#[inline(never)]
fn here() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(&here).addr()
}
