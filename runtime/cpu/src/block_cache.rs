//! The blocks that a program keeps between calls, up to [`MOST`] bytes: page faults on new memory cost more than the
//! work of most programs.
//!
//! A call leaves its pools to the next one. A result stays in its block, so that it need not be copied. When the result is
//! dropped, the program takes the block back.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::block::{Block, Header};
use crate::block_pool::BlockPool;

/// The maximum number of bytes of blocks kept between calls.
const MOST: usize = 1 << 30;

/// The kept blocks of a program.
#[derive(Default)]
pub struct BlockCache(Mutex<Store>);

#[derive(Default)]
struct Store {
    /// The pools of the last call.
    pools: Vec<BlockPool>,
    /// The blocks of dropped results, and their bytes.
    returned: Vec<Block>,
    returned_bytes: usize,
}

impl BlockCache {
    /// Keeps a call's pools for the next one. After concurrent calls, the pools of the call that ends last are kept.
    pub fn leave(&self, mut pools: Vec<BlockPool>) {
        let mut store = self.store();
        let mut left = MOST.saturating_sub(store.returned_bytes);
        for pool in &mut pools {
            pool.end_call(left);
            left -= pool.total_bytes();
        }
        store.pools = pools;
    }

    /// Takes `count` pools: those of the last call, or empty ones if it had another number of pools. The blocks of dropped
    /// results are put into the last pool.
    pub fn take(&self, count: usize) -> Vec<BlockPool> {
        let mut store = self.store();
        let mut pools = std::mem::take(&mut store.pools);
        if pools.len() != count {
            pools = std::iter::repeat_with(BlockPool::default).take(count).collect();
        }
        store.returned_bytes = 0;
        if let Some(last) = pools.last_mut() {
            store.returned.drain(..).for_each(|block| last.adopt(block, count - 1));
        }
        pools
    }

    /// Takes back the block of a result.
    fn give_back(&self, block: Block) {
        let mut store = self.store();
        let held: usize = store.pools.iter().map(BlockPool::total_bytes).sum();
        if held + store.returned_bytes + block.bytes() <= MOST {
            store.returned_bytes += block.bytes();
            store.returned.push(block);
        }
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The block of a result.
pub struct ResultBlock {
    block: Option<Block>,
    cache: Arc<BlockCache>,
}

impl ResultBlock {
    /// The block of a result of a program that keeps these blocks.
    pub fn new(block: Block, cache: &Arc<BlockCache>) -> ResultBlock {
        ResultBlock { block: Some(block), cache: Arc::clone(cache) }
    }

    /// The elements.
    ///
    /// # Safety
    ///
    /// The block holds so many elements of this type.
    pub unsafe fn elements<T>(self, count: usize) -> ResultElements<T> {
        let block = self.block.as_ref().expect("it is taken by drop only");
        let start = Header::data(block.header()).as_ptr().cast_const().cast();
        ResultElements { start, count, _block: self }
    }
}

impl Drop for ResultBlock {
    fn drop(&mut self) {
        if let Some(block) = self.block.take() {
            self.cache.give_back(block);
        }
    }
}

/// The elements of a result in its block.
pub struct ResultElements<T> {
    start: *const T,
    count: usize,
    _block: ResultBlock,
}

// SAFETY: the elements are plain data that is only read, in a block that is theirs.
unsafe impl<T: Send> Send for ResultElements<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for ResultElements<T> {}

impl<T> AsRef<[T]> for ResultElements<T> {
    fn as_ref(&self) -> &[T] {
        // SAFETY: promised to `ResultBlock::elements`; the block lives as long as this value.
        unsafe { std::slice::from_raw_parts(self.start, self.count) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_of_a_dropped_result_serves_the_next_call() {
        let cache = Arc::<BlockCache>::default();
        let mut pools = cache.take(2);
        let header = pools[0].take(640, 0).unwrap();
        // SAFETY: the reference is ours.
        let block = unsafe { pools[0].give_out(header) };
        let result = ResultBlock::new(block, &cache);
        cache.leave(pools);
        // As long as the result lives, no other call gets its block.
        let mut pools = cache.take(2);
        assert_eq!(pools.iter().map(BlockPool::total_bytes).sum::<usize>(), 0);
        cache.leave(std::mem::take(&mut pools));
        drop(result);
        let mut pools = cache.take(2);
        assert_eq!(pools[1].take(640, 1), Some(header));
    }

    #[test]
    fn blocks_beyond_the_bound_are_released() {
        let cache = Arc::<BlockCache>::default();
        for _ in 0..5 {
            // Nothing writes to these blocks, so they take no memory.
            let block = Block::new(MOST / 4).unwrap();
            drop(ResultBlock::new(block, &cache));
        }
        let pools = cache.take(1);
        assert_eq!(pools[0].total_bytes(), MOST);
    }
}
