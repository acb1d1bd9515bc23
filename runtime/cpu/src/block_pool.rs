//! A pool of memory blocks: each has a header of 64 bytes, then the data, aligned to 64.
//!
//! A pool owns all blocks that it allocated. Free blocks are reused for requests of the same size, so that a loop
//! does not call the system allocator in every iteration. The pool never holds more bytes than were in use at one
//! time; the largest free blocks are released first. A pool outlives a call, and the next call reuses its blocks.

use std::alloc::{Layout, alloc, dealloc};
use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

use ravel_abi::native::BLOCK_ALIGNMENT;

/// The header of a block.
#[repr(C, align(64))]
pub struct Header {
    /// The number of references; 0 while the block is free.
    pub references: AtomicUsize,
    /// Bytes of data; a multiple of the alignment.
    pub bytes: usize,
    /// The number of the pool that allocated the block.
    pub pool: usize,
    /// Its position in the list of all blocks. Only the pool accesses it.
    place: usize,
}

const HEADER: usize = size_of::<Header>();
const _: () = assert!(HEADER == BLOCK_ALIGNMENT && align_of::<Header>() == BLOCK_ALIGNMENT);

impl Header {
    /// The data of a block.
    pub fn data(header: NonNull<Header>) -> NonNull<u8> {
        // SAFETY: the data follows the header in one allocation.
        unsafe { header.cast::<u8>().add(HEADER) }
    }

    /// The header of a block.
    ///
    /// # Safety
    ///
    /// `data` is the data of a block.
    pub unsafe fn of(data: NonNull<u8>) -> NonNull<Header> {
        // SAFETY: the header lies before the data in one allocation.
        unsafe { data.sub(HEADER) }.cast()
    }
}

/// The blocks of a heap that one thread has allocated.
#[derive(Default)]
pub struct BlockPool {
    /// All blocks, in use or free.
    all: Vec<NonNull<Header>>,
    /// The free ones, by size.
    waiting: BTreeMap<usize, Vec<NonNull<Header>>>,
    /// Bytes of all blocks.
    held: usize,
    /// Bytes of the blocks in use.
    used: usize,
    /// The maximum of `used` so far.
    most: usize,
}

// SAFETY: the blocks belong to the pool; holders of a reference access only the data and the count.
unsafe impl Send for BlockPool {}

impl BlockPool {
    /// A block of `bytes` bytes, a multiple of the alignment, with one reference; `None` if the system has no memory.
    /// `number` is the number of this pool.
    pub fn take(&mut self, bytes: usize, number: usize) -> Option<NonNull<Header>> {
        self.used = self.used.checked_add(bytes)?;
        self.most = self.most.max(self.used);
        let header = self.reuse(bytes).or_else(|| self.make(bytes, number));
        if header.is_none() {
            self.used -= bytes;
        }
        header
    }

    /// Takes back a block of this pool that has no references left.
    pub fn put_back(&mut self, header: NonNull<Header>, bytes: usize) {
        self.used -= bytes;
        self.waiting.entry(bytes).or_default().push(header);
    }

    /// Ends a call: all blocks become free. The largest are released until `room` bytes are left.
    pub fn end_call(&mut self, room: usize) {
        self.waiting.clear();
        for &header in &self.all {
            // SAFETY: the call is over, so its blocks are not in use.
            let bytes = unsafe { header.as_ref() }.bytes;
            self.waiting.entry(bytes).or_default().push(header);
        }
        while self.held > room && self.give_up_largest() {}
        (self.used, self.most) = (0, self.held);
    }

    /// Bytes of all blocks, in use or free.
    pub fn held(&self) -> usize {
        self.held
    }

    fn reuse(&mut self, bytes: usize) -> Option<NonNull<Header>> {
        let header = self.waiting.get_mut(&bytes)?.pop()?;
        // SAFETY: a free block is still allocated.
        unsafe { header.as_ref() }.references.store(1, Ordering::Relaxed);
        Some(header)
    }

    fn make(&mut self, bytes: usize, pool: usize) -> Option<NonNull<Header>> {
        while self.held.checked_add(bytes)? > self.most && self.give_up_largest() {}
        // SAFETY: the layout has at least the size of a header.
        let header = NonNull::new(unsafe { alloc(layout(bytes)?) })?.cast::<Header>();
        let place = self.all.len();
        // SAFETY: the memory is new, large enough and aligned.
        unsafe { header.write(Header { references: AtomicUsize::new(1), bytes, pool, place }) };
        self.all.push(header);
        self.held += bytes;
        Some(header)
    }

    /// Releases the largest free block to the system. False if there is none.
    fn give_up_largest(&mut self) -> bool {
        let Some(mut blocks) = self.waiting.last_entry() else { return false };
        let last = blocks.get_mut().pop();
        if blocks.get().is_empty() {
            blocks.remove();
        }
        let Some(header) = last else { return true };
        // SAFETY: a free block is still allocated.
        let (place, bytes) = unsafe { (header.as_ref().place, header.as_ref().bytes) };
        self.all.swap_remove(place);
        if let Some(moved) = self.all.get(place) {
            // SAFETY: the block is alive, and only its pool touches this field.
            unsafe { (&raw mut (*moved.as_ptr()).place).write(place) };
        }
        self.held -= bytes;
        // SAFETY: the block has no references and is in no list any more.
        unsafe { free(header) };
        true
    }
}

impl Drop for BlockPool {
    fn drop(&mut self) {
        for header in self.all.drain(..) {
            // SAFETY: no call of the program runs any more, so its blocks are not in use.
            unsafe { free(header) };
        }
    }
}

fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(HEADER.checked_add(bytes)?, BLOCK_ALIGNMENT).ok()
}

/// # Safety
///
/// The block came from `make` and is not used again.
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
    fn a_pool_holds_no_more_than_was_in_use_at_once() {
        let mut pool = BlockPool::default();
        for round in 1..100 {
            let bytes = [round * 64, (round * 37 % 11 + 1) * 64];
            let blocks = bytes.map(|bytes| pool.take(bytes, 0).unwrap());
            for (block, bytes) in blocks.into_iter().zip(bytes) {
                assert_eq!(block.as_ptr() as usize % BLOCK_ALIGNMENT, 0);
                pool.put_back(block, bytes);
            }
            assert!(pool.held <= pool.most, "{} of {}", pool.held, pool.most);
            let listed: usize = pool.waiting.values().map(Vec::len).sum();
            assert_eq!(listed, pool.all.len());
        }
        assert_eq!(pool.used, 0);
    }

    #[test]
    fn the_next_call_finds_the_blocks_of_the_one_before() {
        let mut pool = BlockPool::default();
        let sizes = [128, 64, 640];
        let blocks = sizes.map(|bytes| pool.take(bytes, 0).unwrap());
        pool.put_back(blocks[1], sizes[1]);
        pool.end_call(192);
        assert_eq!((pool.used, pool.held, pool.all.len()), (0, 192, 2));
        assert_eq!([128, 64].map(|bytes| pool.take(bytes, 0).unwrap()), [blocks[0], blocks[1]]);
        // Blocks of the previous call are released for larger ones.
        pool.end_call(192);
        pool.take(256, 0).unwrap();
        assert_eq!((pool.used, pool.held, pool.all.len()), (256, 256, 1));
    }
}
