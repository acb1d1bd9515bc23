//! An allocator that ends the process if the system has no memory.
//!
//! Rust aborts a process in which an allocation fails, unless the caller asked with `try_reserve`. Large allocations ask:
//! those of stacks and of values. Small ones, such as the growth of a tree, do not, and none of them could go on. So the
//! first small allocation that fails ends the process, with a message instead of an abort.

use std::alloc::{GlobalAlloc, Layout, System};

/// The least size of an allocation that may fail, in bytes: smaller than each block that its caller can do without.
const FALLIBLE: usize = 1 << 20;

/// The system's allocator. If a small allocation fails, it calls the function, which ends the process and allocates nothing.
pub struct Allocator(pub fn() -> !);

// SAFETY: the system's allocator does all the work. `checked` changes no result.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise about the layout.
        self.checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as in `alloc`.
        self.checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise about the memory, which is the system's, and about the sizes.
        self.checked(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise about the memory, which is the system's.
        unsafe { System.dealloc(memory, layout) }
    }
}

impl Allocator {
    /// The memory, if the allocation succeeded or may fail.
    fn checked(&self, memory: *mut u8, size: usize) -> *mut u8 {
        if memory.is_null() && size < FALLIBLE {
            (self.0)();
        }
        memory
    }
}
