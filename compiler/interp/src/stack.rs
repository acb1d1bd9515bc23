//! The interpreter's stack: how large it is, and whether a call still has room on it.
//!
//! Bodies nest on the machine's stack, through calls too. What counts is how much of it they use, not how many they are: so
//! a function with small frames may call itself more often than one with large frames.

use std::cell::Cell;

/// The sizes to try, largest first: a system may grant less. Pages that are not used cost nothing.
pub const SIZES: [usize; 4] = [1 << 29, 1 << 28, 1 << 26, 1 << 24];

/// What is kept free: room for the body that reaches below the limit, and for what one statement needs.
const RESERVE: usize = 1 << 22;

thread_local! {
    static LIMIT: Cell<usize> = const { Cell::new(0) };
}

/// To be called by a thread with a stack of this size when it begins.
pub fn begin(size: usize) {
    LIMIT.set(here().saturating_sub(size - RESERVE));
}

/// Is there no room for another body?
pub fn is_full() -> bool {
    here() < LIMIT.get()
}

/// Where the stack has got to.
#[inline(never)]
fn here() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(&here).addr()
}
