//! The interpreter's stack: its size, and the check for overflow.
//!
//! The interpreter recurses into nested bodies and called functions, so it uses the stack of the machine. The largest size
//! suffices for as many nested calls as a program may make, unless each call is inside many nested bodies.

use std::cell::Cell;

/// The sizes to try, in bytes, largest first: a system may grant less. Pages that are not used cost nothing.
pub const SIZES: [usize; 4] = [1 << 30, 1 << 28, 1 << 26, 1 << 24];

/// The bytes below the limit, for the body that reaches it and for the evaluation of one of its statements.
const RESERVE: usize = 1 << 22;

thread_local! {
    static LIMIT: Cell<usize> = const { Cell::new(0) };
}

/// Sets the limit. A thread calls it when it begins, with the size of its stack.
pub fn begin(size: usize) {
    LIMIT.set(here().saturating_sub(size - RESERVE));
}

/// Whether the stack has reached the limit, so that no further body may run.
pub fn is_full() -> bool {
    here() < LIMIT.get()
}

/// The address of the top of the stack.
#[inline(never)]
fn here() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(&here).addr()
}
