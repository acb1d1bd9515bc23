//! An allocator that ends the process if the system has no memory.
//!
//! Rust aborts a process in which an allocation fails, unless the caller asked with `try_reserve`. Large allocations ask:
//! those of stacks and of values. Small ones, such as the growth of a tree, do not, and none of them could go on. So the
//! first small allocation that fails ends the process, with a message instead of an abort.
//!
//! During a call of a program there is a reserve. The first small allocation that fails releases it, and succeeds. The
//! next array that the program allocates then fails, so that the message names a place in the program.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use memmap2::{MmapMut, MmapOptions};

/// The least size of an allocation that may fail, in bytes: smaller than each block that its caller can do without.
const FALLIBLE: usize = 1 << 20;

/// The bytes of the reserve: enough for a failure with its backtrace. It is address space only, and never touched.
const RESERVE_BYTES: usize = 8 << 20;

static RESERVE: Mutex<Option<MmapMut>> = Mutex::new(None);

/// Whether the reserve has been released.
static EXHAUSTED: AtomicBool = AtomicBool::new(false);

/// Sets memory aside, unless it has been: before a pool of threads takes stacks, and at the start of a call. If the
/// system has none, there is no reserve.
pub fn keep_reserve() {
    // Whoever holds the lock must not allocate on the heap. A mapping does not.
    let mut reserve = RESERVE.lock().unwrap_or_else(PoisonError::into_inner);
    if reserve.is_none() {
        *reserve = MmapOptions::new().len(RESERVE_BYTES).map_anon().ok();
    }
    EXHAUSTED.store(false, Ordering::Relaxed);
}

/// Whether the reserve has been released since the start of the call: the program should fail.
pub fn is_exhausted() -> bool {
    EXHAUSTED.load(Ordering::Relaxed)
}

/// Releases the reserve, if there is one.
fn release_reserve() {
    let mapping = RESERVE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if mapping.is_some() {
        EXHAUSTED.store(true, Ordering::Relaxed);
    }
}

/// The system's allocator. If a small allocation fails, it calls the function, which ends the process and allocates nothing.
pub struct Allocator(pub fn() -> !);

// SAFETY: the system's allocator does all the work. `checked` only tries again.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise about the layout.
        self.checked(layout.size(), || unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as in `alloc`.
        self.checked(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise about the memory, which is the system's, and about the sizes. If the allocation
        // fails, the memory stays as it is.
        self.checked(size, || unsafe { System.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise about the memory, which is the system's.
        unsafe { System.dealloc(memory, layout) }
    }
}

impl Allocator {
    /// The memory, if the allocation succeeds, perhaps after the reserve is released, or may fail.
    fn checked(&self, size: usize, allocate: impl Fn() -> *mut u8) -> *mut u8 {
        let memory = allocate();
        if !memory.is_null() || size >= FALLIBLE {
            return memory;
        }
        release_reserve();
        let memory = allocate();
        if memory.is_null() {
            (self.0)();
        }
        memory
    }
}
