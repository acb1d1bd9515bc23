//! The reference-counted blocks of one call.
//!
//! Each thread has its own [`BlockPool`], so that threads that allocate do not wait for each other; a block
//! returns to the pool that it came from. When the call ends, all blocks are free, even those with references left.
//! The next call of the program reuses them, up to [`KEPT`] bytes: page faults on new memory cost more than the
//! work of most programs.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ravel_abi::Failure;
use ravel_abi::native::BLOCK_ALIGNMENT;

use crate::block_pool::{BlockPool, Header};

/// The maximum number of bytes of blocks kept between calls.
const KEPT: usize = 256 << 20;

/// The blocks kept between the calls of a program.
#[derive(Default)]
pub struct Kept(Mutex<Vec<BlockPool>>);

impl Kept {
    /// Keeps a call's blocks for the next one.
    pub fn leave(&self, heap: Heap) {
        let mut pools: Vec<BlockPool> = heap
            .pools
            .into_iter()
            .map(|pool| pool.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect();
        let mut room = KEPT;
        for pool in &mut pools {
            pool.end_call(room);
            room -= pool.held();
        }
        // After concurrent calls, the blocks of the last one are kept.
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = pools;
    }

    /// The kept pools. They are empty if the last call had another number of threads.
    fn take(&self, threads: usize) -> Vec<BlockPool> {
        let mut pools = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        if pools.len() != threads {
            pools = std::iter::repeat_with(BlockPool::default).take(threads).collect();
        }
        pools
    }
}

/// The blocks of one call.
pub struct Heap {
    limit: u64,
    pools: Vec<Mutex<BlockPool>>,
    /// Bytes in use.
    used: AtomicU64,
    /// The maximum of `used` so far.
    peak: AtomicU64,
    /// The number of allocated blocks.
    allocated: AtomicU64,
}

impl Heap {
    /// A heap for this many threads. Blocks in use, kept or new, may have `limit` bytes together.
    pub fn new(threads: usize, limit: u64, kept: &Kept) -> Heap {
        let pools = kept.take(threads.max(1)).into_iter().map(Mutex::new).collect();
        let [used, peak, allocated] = [const { AtomicU64::new(0) }; 3];
        Heap { limit, pools, used, peak, allocated }
    }

    /// The data of a block of `count` elements of `size` bytes each, with one reference.
    pub fn allocate(&self, count: i64, size: u64) -> Result<NonNull<u8>, Failure> {
        // A negative count is an overflow; as an unsigned number it exceeds every limit.
        let wanted = u128::from(count as u64) * u128::from(size);
        let too_much = || Failure::out_of_memory(wanted);
        let bytes = u64::try_from(wanted).ok().filter(|&bytes| bytes <= self.limit).ok_or_else(too_much)?;
        let bytes = bytes.max(1).checked_next_multiple_of(BLOCK_ALIGNMENT as u64).ok_or_else(too_much)?;

        let used = self.used.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let pool = rayon::current_thread_index().unwrap_or(0) % self.pools.len();
        let header = match used <= self.limit {
            true => self.pool(pool).take(bytes as usize, pool),
            false => None,
        };
        let Some(header) = header else {
            self.used.fetch_sub(bytes, Ordering::Relaxed);
            return Err(too_much());
        };
        self.peak.fetch_max(used, Ordering::Relaxed);
        self.allocated.fetch_add(1, Ordering::Relaxed);
        Ok(Header::data(header))
    }

    /// Adds a reference.
    ///
    /// # Safety
    ///
    /// `data` is a block of this heap with at least one reference.
    pub unsafe fn retain(&self, data: NonNull<u8>) {
        // SAFETY: promised by the caller.
        unsafe { Header::of(data).as_ref() }.references.fetch_add(1, Ordering::Relaxed);
    }

    /// Releases a reference.
    ///
    /// # Safety
    ///
    /// `data` is a block of this heap, and the reference is the caller's.
    pub unsafe fn release(&self, data: NonNull<u8>) {
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

    /// The peak number of bytes in use.
    pub fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    /// The number of allocated blocks.
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
        let heap = Heap::new(1, 1 << 20, &Kept::default());
        let first = heap.allocate(100, 8).unwrap();
        // SAFETY: the reference is ours.
        unsafe { heap.release(first) };
        assert_eq!(heap.allocate(99, 8).unwrap(), first);
        assert_eq!((heap.peak(), heap.allocated()), (832, 2));
    }

    #[test]
    fn a_call_reuses_the_workers_memory_of_the_last_call_with_as_many_threads() {
        let kept = Kept::default();
        let blocks = [2, 2, 1].map(|threads| {
            let heap = Heap::new(threads, 1 << 20, &kept);
            let block = heap.allocate(100, 8).unwrap();
            assert_eq!((heap.peak(), heap.allocated()), (832, 1));
            kept.leave(heap);
            block
        });
        assert_eq!(blocks[0], blocks[1]);
        // The limit bounds the blocks in use, not the kept ones.
        let heap = Heap::new(1, 832, &kept);
        assert!(heap.allocate(10, 8).is_ok());
        assert!(heap.allocate(100, 8).is_err());
    }

    #[test]
    fn a_block_lives_as_long_as_a_reference() {
        let heap = Heap::new(1, 1 << 20, &Kept::default());
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
        let heap = Heap::new(2, 1 << 20, &Kept::default());
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
        let heap = Heap::new(1, 1000, &Kept::default());
        assert_eq!(heap.allocate(126, 8), Err(Failure::out_of_memory(1008)));
        assert_eq!(heap.allocate(1 << 62, 8), Err(Failure::out_of_memory(1 << 65)));
        assert!(heap.allocate(-1, 8).is_err());
        assert!(heap.allocate(64, 8).is_ok());
        assert_eq!(heap.allocate(64, 8), Err(Failure::out_of_memory(512)));
    }
}
