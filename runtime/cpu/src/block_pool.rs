//! A pool of memory blocks (see `block`).
//!
//! A pool owns all blocks that it allocated. Free blocks are reused for requests of the same size, so that a loop
//! does not call the system allocator in every iteration. The pool never holds more bytes than were in use at one
//! time; the largest free blocks are released first. A pool outlives a call, and the next call reuses its blocks.
//! A block that becomes a result leaves its pool; after the result has been dropped, a pool may adopt it.

use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::sync::atomic::Ordering;

use crate::block::{Block, Header};

/// The blocks of a heap that one thread has allocated.
#[derive(Default)]
pub struct BlockPool {
    /// All blocks, in use or free.
    all: Vec<Block>,
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

    /// Removes a block in use from this pool.
    ///
    /// # Safety
    ///
    /// It is a block of this pool, and the caller has its only reference.
    pub unsafe fn give_out(&mut self, header: NonNull<Header>) -> Block {
        // SAFETY: promised by the caller.
        let block = unsafe { self.remove(header) };
        self.used -= block.bytes();
        block
    }

    /// Adds a free block. `number` is the number of this pool.
    pub fn adopt(&mut self, block: Block, number: usize) {
        let bytes = block.bytes();
        let header = self.add(block, number);
        self.waiting.entry(bytes).or_default().push(header);
        self.most = self.most.max(self.held);
    }

    /// Ends a call: all blocks become free. The largest are released until `limit` bytes are left.
    pub fn end_call(&mut self, limit: usize) {
        self.waiting.clear();
        for block in &self.all {
            self.waiting.entry(block.bytes()).or_default().push(block.header());
        }
        while self.held > limit && self.give_up_largest() {}
        (self.used, self.most) = (0, self.held);
    }

    /// Bytes of all blocks, in use or free.
    pub fn total_bytes(&self) -> usize {
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
        Some(self.add(Block::new(bytes)?, pool))
    }

    /// Adds a block to the list of all blocks.
    fn add(&mut self, mut block: Block, pool: usize) -> NonNull<Header> {
        block.enter(pool);
        block.set_place(self.all.len());
        let header = block.header();
        self.held += block.bytes();
        self.all.push(block);
        header
    }

    /// Releases the largest free block to the system. False if there is none.
    fn give_up_largest(&mut self) -> bool {
        let Some(mut blocks) = self.waiting.last_entry() else { return false };
        let last = blocks.get_mut().pop();
        if blocks.get().is_empty() {
            blocks.remove();
        }
        if let Some(header) = last {
            // SAFETY: a free block is one of this pool's, and in no other list any more.
            drop(unsafe { self.remove(header) });
        }
        true
    }

    /// Removes a block from the list of all blocks.
    ///
    /// # Safety
    ///
    /// It is a block of this pool.
    unsafe fn remove(&mut self, header: NonNull<Header>) -> Block {
        // SAFETY: promised by the caller.
        let place = unsafe { header.as_ref() }.place;
        let block = self.all.swap_remove(place);
        if let Some(moved) = self.all.get_mut(place) {
            moved.set_place(place);
        }
        self.held -= block.bytes();
        block
    }
}

#[cfg(test)]
mod tests {
    use ravel_abi::native::BLOCK_ALIGNMENT;

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

    #[test]
    fn a_block_leaves_one_pool_and_is_reused_by_another() {
        let [mut one, mut other] = [(); 2].map(|()| BlockPool::default());
        let headers = [64, 128].map(|bytes| one.take(bytes, 0).unwrap());
        // SAFETY: the references are ours.
        let block = unsafe { one.give_out(headers[0]) };
        assert_eq!((one.used, one.held, one.all.len()), (128, 128, 1));
        other.adopt(block, 7);
        assert_eq!((other.used, other.held), (0, 64));
        assert_eq!(other.take(64, 7), Some(headers[0]));
        // SAFETY: the block is in use.
        assert_eq!(unsafe { headers[0].as_ref() }.pool, 7);
    }
}
