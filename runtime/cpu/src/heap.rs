//! Reference-counted blocks of memory.
//!
//! A block is 64 bytes of header and then its data, aligned to 64. Blocks that nobody refers to
//! wait for a request of their own size, so that a loop does not go to the system in every round; what the heap
//! holds all in all never exceeds the most that was in use at one time. All of it ends with the heap.

use std::alloc::{Layout, alloc, dealloc};
use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ravel_abi::Failure;
use ravel_abi::native::BLOCK_ALIGNMENT;

/// What lies before the data of a block.
#[repr(C, align(64))]
struct Header {
    references: AtomicUsize,
    /// Bytes of data; a multiple of the alignment.
    bytes: usize,
    /// Its place in the list of all blocks; guarded by the heap's lock.
    place: usize,
}

const HEADER: usize = size_of::<Header>();
const _: () = assert!(HEADER == BLOCK_ALIGNMENT && align_of::<Header>() == BLOCK_ALIGNMENT);

/// The blocks of one call.
pub struct Heap {
    limit: u64,
    blocks: Mutex<Blocks>,
}

#[derive(Default)]
struct Blocks {
    /// All blocks, in use or waiting.
    all: Vec<NonNull<Header>>,
    /// Those waiting, by size.
    waiting: BTreeMap<usize, Vec<NonNull<Header>>>,
    /// Bytes of all blocks.
    held: usize,
    /// Bytes of those in use.
    used: usize,
    /// The most that `used` ever was.
    peak: usize,
    /// How often a block was given out.
    given: u64,
}

// SAFETY: the pointers are owned by the heap and touched under its lock only, but for the
// reference counts, which are atomic.
unsafe impl Send for Heap {}
// SAFETY: as above.
unsafe impl Sync for Heap {}

impl Heap {
    /// A heap whose blocks in use have `limit` bytes at most.
    pub fn new(limit: u64) -> Heap {
        Heap { limit, blocks: Mutex::default() }
    }

    /// The data of a block of `count` elements of `size` bytes each, with one reference.
    pub fn allocate(&self, count: i64, size: u64) -> Result<NonNull<u8>, Failure> {
        // A count below zero would be an overflow that nobody saw; as an unsigned number it is too much.
        let wanted = u128::from(count as u64) * u128::from(size);
        let too_much = || Failure::out_of_memory(wanted);
        if wanted > u128::from(self.limit) {
            return Err(too_much());
        }
        let bytes = usize::try_from(wanted).map_err(|_| too_much())?;
        let bytes = bytes.max(1).checked_next_multiple_of(BLOCK_ALIGNMENT).ok_or_else(too_much)?;

        let mut blocks = self.lock();
        let used = blocks.used.checked_add(bytes).ok_or_else(too_much)?;
        if used as u64 > self.limit.max(BLOCK_ALIGNMENT as u64) {
            return Err(too_much());
        }
        let header = match blocks.reuse(bytes) {
            Some(header) => header,
            None => blocks.acquire(bytes).ok_or_else(too_much)?,
        };
        blocks.used = used;
        blocks.peak = blocks.peak.max(used);
        blocks.given += 1;
        // SAFETY: the header lies before the data in one allocation.
        Ok(unsafe { header.cast::<u8>().add(HEADER) })
    }

    /// Adds a reference.
    ///
    /// # Safety
    ///
    /// `data` is a block of this heap with at least one reference.
    pub unsafe fn retain(&self, data: NonNull<u8>) {
        // SAFETY: promised by the caller.
        unsafe { header(data).as_ref() }.references.fetch_add(1, Ordering::Relaxed);
    }

    /// Gives a reference back.
    ///
    /// # Safety
    ///
    /// `data` is a block of this heap, and the reference is the caller's.
    pub unsafe fn release(&self, data: NonNull<u8>) {
        let header = header(data);
        // SAFETY: promised by the caller.
        let (references, bytes) = unsafe { (&header.as_ref().references, header.as_ref().bytes) };
        if references.fetch_sub(1, Ordering::Release) == 1 {
            fence(Ordering::Acquire);
            let mut blocks = self.lock();
            blocks.used -= bytes;
            blocks.waiting.entry(bytes).or_default().push(header);
        }
    }

    /// The most bytes that were in use at one time.
    pub fn peak(&self) -> u64 {
        self.lock().peak as u64
    }

    /// How many blocks were given out.
    pub fn given(&self) -> u64 {
        self.lock().given
    }

    fn lock(&self) -> MutexGuard<'_, Blocks> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Blocks {
    /// A waiting block of exactly this size.
    fn reuse(&mut self, bytes: usize) -> Option<NonNull<Header>> {
        let header = self.waiting.get_mut(&bytes)?.pop()?;
        // SAFETY: a waiting block is a block, and nobody else refers to it.
        unsafe { header.as_ref() }.references.store(1, Ordering::Relaxed);
        Some(header)
    }

    /// A new block. Waiting blocks make room for it, the largest first.
    fn acquire(&mut self, bytes: usize) -> Option<NonNull<Header>> {
        let most = self.peak.max(self.used + bytes);
        while self.held + bytes > most {
            let Some(header) = self.waiting.values_mut().next_back().and_then(Vec::pop) else { break };
            self.give_up(header);
            self.waiting.retain(|_, blocks| !blocks.is_empty());
        }
        let layout = layout(bytes)?;
        // SAFETY: the layout has at least the size of a header.
        let header = NonNull::new(unsafe { alloc(layout) })?.cast::<Header>();
        let fresh = Header { references: AtomicUsize::new(1), bytes, place: self.all.len() };
        // SAFETY: the memory is new, large enough and aligned.
        unsafe { header.write(fresh) };
        self.all.push(header);
        self.held += bytes;
        Some(header)
    }

    /// Gives a waiting block, no longer in its list, back to the system.
    fn give_up(&mut self, header: NonNull<Header>) {
        // SAFETY: a waiting block is a block.
        let (place, bytes) = unsafe { (header.as_ref().place, header.as_ref().bytes) };
        self.all.swap_remove(place);
        if let Some(moved) = self.all.get_mut(place) {
            // SAFETY: all blocks in the list are alive, and `place` is touched under the lock only.
            unsafe { (&raw mut (*moved.as_ptr()).place).write(place) };
        }
        self.held -= bytes;
        // SAFETY: nobody refers to the block, and it is in no list any more.
        unsafe { free(header) };
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        for header in self.lock().all.drain(..) {
            // SAFETY: the call is over; nobody refers to its blocks.
            unsafe { free(header) };
        }
    }
}

fn header(data: NonNull<u8>) -> NonNull<Header> {
    // SAFETY: the data of a block lies behind its header in one allocation.
    unsafe { data.sub(HEADER) }.cast()
}

fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(HEADER.checked_add(bytes)?, BLOCK_ALIGNMENT).ok()
}

/// # Safety
///
/// The block came from `acquire`, and nobody uses it again.
unsafe fn free(header: NonNull<Header>) {
    // SAFETY: promised by the caller.
    let bytes = unsafe { header.as_ref() }.bytes;
    if let Some(layout) = layout(bytes) {
        // SAFETY: this is the layout that it was made with.
        unsafe { dealloc(header.as_ptr().cast(), layout) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_equal_size_are_reused() {
        let heap = Heap::new(1 << 20);
        let first = heap.allocate(100, 8).unwrap();
        // SAFETY: the reference is ours.
        unsafe { heap.release(first) };
        assert_eq!(heap.allocate(99, 8).unwrap(), first);
        assert_eq!((heap.peak(), heap.given()), (832, 2));
    }

    #[test]
    fn a_block_lives_as_long_as_a_reference() {
        let heap = Heap::new(1 << 20);
        let first = heap.allocate(1, 8).unwrap();
        // SAFETY: the references are ours.
        unsafe {
            heap.retain(first);
            heap.release(first);
        }
        assert_ne!(heap.allocate(1, 8).unwrap(), first);
    }

    #[test]
    fn the_heap_holds_no_more_than_was_in_use_at_once() {
        let heap = Heap::new(1 << 20);
        for count in 1..200 {
            let block = heap.allocate(count, 64).unwrap();
            assert_eq!(block.as_ptr() as usize % BLOCK_ALIGNMENT, 0);
            // SAFETY: the reference is ours.
            unsafe { heap.release(block) };
            let blocks = heap.lock();
            assert!(blocks.held <= blocks.peak);
        }
    }

    #[test]
    fn too_much_is_refused() {
        let heap = Heap::new(1000);
        assert_eq!(heap.allocate(126, 8), Err(Failure::out_of_memory(1008)));
        assert_eq!(heap.allocate(1 << 62, 8), Err(Failure::out_of_memory(1 << 65)));
        assert!(heap.allocate(-1, 8).is_err());
        assert!(heap.allocate(64, 8).is_ok());
        assert_eq!(heap.allocate(64, 8), Err(Failure::out_of_memory(512)));
    }
}
