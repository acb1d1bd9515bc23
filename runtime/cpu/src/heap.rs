//! The reference-counted blocks of one call.
//!
//! Each thread has its own [`BlockPool`], so that threads that allocate do not wait for each other; a block
//! returns to the pool that it came from. Blocks of at least [`LARGE`] bytes come from a pool that all threads share:
//! most of them are allocated by the host program, which any thread may run. When the call ends, all blocks are free,
//! even those that are still referenced, except the results (see `block_cache`).
//!
//! Arguments are borrowed: code reads them where the caller has them. References to them are not counted.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ravel_abi::Failure;
use ravel_abi::native::BLOCK_ALIGNMENT;

use crate::allocator::{is_exhausted, keep_reserve};
use crate::block::Header;
use crate::block_cache::{BlockCache, ResultBlock};
use crate::block_pool::BlockPool;

/// The size in bytes from which blocks belong to the shared pool.
const LARGE: u64 = 128 << 10;

/// The blocks of one call.
pub struct Heap {
    limit: u64,
    /// The pools of the threads, then the shared one.
    pools: Vec<Mutex<BlockPool>>,
    cache: Arc<BlockCache>,
    /// The elements of the arguments that are lent.
    borrowed: Vec<NonNull<u8>>,
    /// Bytes in use.
    used: AtomicU64,
    /// The maximum of `used` so far.
    peak: AtomicU64,
    /// The number of allocated or lent blocks.
    allocated: AtomicU64,
}

// SAFETY: the lent elements are only read.
unsafe impl Sync for Heap {}
// SAFETY: as above.
unsafe impl Send for Heap {}

impl Heap {
    /// A heap for this many threads. `limit` is the most bytes of all blocks in use together, whether they are new,
    /// lent, or reused from an earlier call.
    pub fn new(threads: usize, limit: u64, cache: &Arc<BlockCache>) -> Heap {
        keep_reserve();
        let pools = cache.take(threads.max(1) + 1).into_iter().map(Mutex::new).collect();
        let [used, peak, allocated] = [const { AtomicU64::new(0) }; 3];
        Heap { limit, pools, cache: Arc::clone(cache), borrowed: Vec::new(), used, peak, allocated }
    }

    /// Ends the call and keeps its blocks for the next one.
    pub fn end(self) {
        let pools =
            self.pools.into_iter().map(|pool| pool.into_inner().unwrap_or_else(PoisonError::into_inner));
        self.cache.leave(pools.collect());
    }

    /// The data of a block of `count` elements of `size` bytes each, with one reference.
    pub fn allocate(&self, count: i64, size: u64) -> Result<NonNull<u8>, Failure> {
        let bytes = self.begin_use(count, size)?;
        let shared = self.pools.len() - 1;
        let pool = match bytes < LARGE {
            true => rayon::current_thread_index().unwrap_or(0) % shared,
            false => shared,
        };
        let header = match is_exhausted() {
            true => None,
            false => self.pool(pool).take(bytes as usize, pool),
        };
        let Some(header) = header else {
            self.used.fetch_sub(bytes, Ordering::Relaxed);
            return Err(Failure::out_of_memory(u128::from(count as u64) * u128::from(size)));
        };
        self.note_use();
        Ok(Header::data(header))
    }

    /// Borrows the elements of an argument for the call.
    ///
    /// # Safety
    ///
    /// `count` elements of `size` bytes each are there until the call ends, and do not change.
    pub unsafe fn borrow(&mut self, data: NonNull<u8>, count: i64, size: u64) -> Result<(), Failure> {
        self.begin_use(count, size)?;
        self.note_use();
        self.borrowed.push(data);
        Ok(())
    }

    /// Counts the bytes of these elements as used, rounded up to a multiple of [`BLOCK_ALIGNMENT`]. Returns their
    /// number.
    fn begin_use(&self, count: i64, size: u64) -> Result<u64, Failure> {
        // A negative count is an overflow; as an unsigned number it exceeds every limit.
        let wanted = u128::from(count as u64) * u128::from(size);
        let too_much = || Failure::out_of_memory(wanted);
        let bytes = u64::try_from(wanted).ok().filter(|&bytes| bytes <= self.limit).ok_or_else(too_much)?;
        let bytes = bytes.max(1).checked_next_multiple_of(BLOCK_ALIGNMENT as u64).ok_or_else(too_much)?;
        if self.used.fetch_add(bytes, Ordering::Relaxed) + bytes > self.limit {
            self.used.fetch_sub(bytes, Ordering::Relaxed);
            return Err(too_much());
        }
        Ok(bytes)
    }

    /// Counts a block, and updates the peak. `begin_use` has counted the bytes.
    fn note_use(&self) {
        self.peak.fetch_max(self.used.load(Ordering::Relaxed), Ordering::Relaxed);
        self.allocated.fetch_add(1, Ordering::Relaxed);
    }

    /// Adds a reference.
    ///
    /// # Safety
    ///
    /// `data` is lent, or a block of this heap with at least one reference.
    pub unsafe fn retain(&self, data: NonNull<u8>) {
        if !self.borrowed.contains(&data) {
            // SAFETY: promised by the caller.
            unsafe { Header::of(data).as_ref() }.references.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Releases a reference.
    ///
    /// # Safety
    ///
    /// `data` is lent, or a block of this heap, and the reference is the caller's.
    pub unsafe fn release(&self, data: NonNull<u8>) {
        if self.borrowed.contains(&data) {
            return;
        }
        // SAFETY: promised by the caller.
        let header = unsafe { Header::of(data) };
        // SAFETY: the caller's reference keeps the block alive.
        let Header { references, bytes, pool, .. } = unsafe { header.as_ref() };
        if references.fetch_sub(1, Ordering::Release) == 1 {
            fence(Ordering::Acquire);
            let bytes = *bytes;
            self.used.fetch_sub(bytes as u64, Ordering::Relaxed);
            self.pool(*pool).put_back(header, bytes);
        }
    }

    /// A block that outlives the call as a result; `None` if it is lent, or has other references.
    ///
    /// # Safety
    ///
    /// `data` is lent, or a block of this heap. No code of the call runs any more.
    pub unsafe fn give_out(&self, data: NonNull<u8>) -> Option<ResultBlock> {
        if self.borrowed.contains(&data) {
            return None;
        }
        // SAFETY: promised by the caller.
        let header = unsafe { Header::of(data) };
        // SAFETY: blocks are alive until the call ends.
        let Header { references, pool, .. } = unsafe { header.as_ref() };
        if references.load(Ordering::Acquire) != 1 {
            return None;
        }
        // SAFETY: the block is this pool's, and the last reference is the caller's.
        let block = unsafe { self.pool(*pool).give_out(header) };
        Some(ResultBlock::new(block, &self.cache))
    }

    /// The peak number of bytes in use.
    pub fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    /// The number of allocated or lent blocks.
    pub fn allocated(&self) -> u64 {
        self.allocated.load(Ordering::Relaxed)
    }

    fn pool(&self, number: usize) -> MutexGuard<'_, BlockPool> {
        self.pools[number].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_equal_size_are_reused() {
        let heap = Heap::new(1, 1 << 20, &Arc::default());
        let first = heap.allocate(100, 8).unwrap();
        // SAFETY: the reference is ours.
        unsafe { heap.release(first) };
        assert_eq!(heap.allocate(99, 8).unwrap(), first);
        assert_eq!((heap.peak(), heap.allocated()), (832, 2));
    }

    #[test]
    fn a_call_reuses_the_workers_memory_of_the_last_call_with_as_many_threads() {
        let cache = Arc::<BlockCache>::default();
        let blocks = [2, 2, 1].map(|threads| {
            let heap = Heap::new(threads, 1 << 20, &cache);
            let block = heap.allocate(100, 8).unwrap();
            assert_eq!((heap.peak(), heap.allocated()), (832, 1));
            heap.end();
            block
        });
        assert_eq!(blocks[0], blocks[1]);
        // The limit bounds the blocks in use, not the kept ones.
        let heap = Heap::new(1, 832, &cache);
        assert!(heap.allocate(10, 8).is_ok());
        assert!(heap.allocate(100, 8).is_err());
    }

    #[test]
    fn a_block_lives_as_long_as_a_reference() {
        let heap = Heap::new(1, 1 << 20, &Arc::default());
        let first = heap.allocate(1, 8).unwrap();
        // SAFETY: the references are ours.
        unsafe {
            heap.retain(first);
            heap.release(first);
        }
        assert_ne!(heap.allocate(1, 8).unwrap(), first);
    }

    #[test]
    fn another_thread_may_give_a_block_back() {
        let heap = Heap::new(2, 1 << 20, &Arc::default());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let blocks: Vec<usize> = (0..64).map(|_| heap.allocate(1, 8).unwrap().as_ptr() as usize).collect();
        pool.scope(|scope| {
            for &block in &blocks {
                let heap = &heap;
                scope.spawn(move |_| {
                    let own = heap.allocate(1, 8).unwrap();
                    // SAFETY: both references are released once.
                    unsafe {
                        heap.release(NonNull::new(block as *mut u8).unwrap());
                        heap.release(own);
                    }
                });
            }
        });
        assert_eq!((heap.used.into_inner(), heap.allocated.into_inner()), (0, 128));
    }

    #[test]
    fn too_much_is_refused() {
        let heap = Heap::new(1, 1000, &Arc::default());
        assert_eq!(heap.allocate(126, 8), Err(Failure::out_of_memory(1008)));
        assert_eq!(heap.allocate(1 << 62, 8), Err(Failure::out_of_memory(1 << 65)));
        assert!(heap.allocate(-1, 8).is_err());
        assert!(heap.allocate(64, 8).is_ok());
        assert_eq!(heap.allocate(64, 8), Err(Failure::out_of_memory(512)));
    }
}
