//! A memory block: a header of 64 bytes, then the data, aligned to 64.
//!
//! A block of at least [`MAPPED`] bytes is a separate mapping, for which the runtime requests huge pages: a page fault for
//! each 4 KiB costs more than the work of most programs. No block is touched before the program writes
//! to it, so that its pages are faulted in by the threads that fill them.
//!
//! Mappings begin at pages. If blocks did too, elements of different arrays with the same index would have the same lower
//! bits of their addresses. A processor takes a while to tell such addresses apart, and its first cache holds few of them. So each
//! such block begins at another place of its first page.

use std::alloc::{GlobalAlloc as _, Layout, System};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

use memmap2::{MmapMut, MmapOptions};
use ravel_abi::native::BLOCK_ALIGNMENT;

/// The least bytes of a block with a mapping of its own: the size of a huge page.
const MAPPED: usize = 2 << 20;

/// The bytes of a page: mappings begin at its multiples.
const PAGE: usize = 4096;

/// How much later in its first page each mapped block begins than the one before. It is an odd number of cache lines, so
/// every 64th block begins at the same place.
const STEP: usize = 5 * BLOCK_ALIGNMENT;

/// The header of a block.
#[repr(C, align(64))]
pub struct Header {
    /// The number of references; 0 while the block is free.
    pub references: AtomicUsize,
    /// Bytes of data; a multiple of the alignment.
    pub bytes: usize,
    /// The number of the pool to which the block belongs.
    pub pool: usize,
    /// Its position in the list of all blocks of the pool. Only the pool accesses it.
    pub place: usize,
    /// The mapping that consists of header and data, if it is not from the allocator.
    mapping: Option<MmapMut>,
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

/// A block and its memory. Only its owner changes the header, but for the number of references.
pub struct Block(NonNull<Header>);

// SAFETY: a block is memory without ties to a thread.
unsafe impl Send for Block {}
// SAFETY: shared access reads the header only.
unsafe impl Sync for Block {}

impl Block {
    /// A block of `bytes` bytes, a multiple of the alignment, with one reference; `None` if the system has no memory.
    pub fn new(bytes: usize) -> Option<Block> {
        let (start, mapping) = match bytes < MAPPED {
            true => (allocate(bytes)?, None),
            false => map_pages(bytes)?,
        };
        let header = start.cast::<Header>();
        let references = AtomicUsize::new(1);
        // SAFETY: the memory is new, large enough and aligned.
        unsafe { header.write(Header { references, bytes, pool: 0, place: 0, mapping }) };
        Some(Block(header))
    }

    /// The header.
    pub fn header(&self) -> NonNull<Header> {
        self.0
    }

    /// Bytes of data.
    pub fn bytes(&self) -> usize {
        self.fields().bytes
    }

    /// Notes that the block, which no call uses, now belongs to this pool.
    pub fn enter(&mut self, pool: usize) {
        // SAFETY: the block is alive, and nothing else accesses a block that no call uses.
        unsafe { (&raw mut (*self.0.as_ptr()).pool).write(pool) };
    }

    /// Notes its position in the list of all blocks of the pool.
    pub fn set_place(&mut self, place: usize) {
        // SAFETY: the block is alive, and only its pool accesses this field.
        unsafe { (&raw mut (*self.0.as_ptr()).place).write(place) };
    }

    fn fields(&self) -> &Header {
        // SAFETY: the block is alive as long as its owner.
        unsafe { self.0.as_ref() }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        let bytes = self.bytes();
        // SAFETY: the header is not used again, so the mapping has one owner.
        let mapping = unsafe { (&raw mut (*self.0.as_ptr()).mapping).read() };
        if mapping.is_none()
            && let Some(layout) = layout(bytes)
        {
            // SAFETY: it was allocated with this layout.
            unsafe { System.dealloc(self.0.as_ptr().cast(), layout) };
        }
    }
}

fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(HEADER.checked_add(bytes)?, BLOCK_ALIGNMENT).ok()
}

/// Memory for a header and so many bytes of data from the allocator.
fn allocate(bytes: usize) -> Option<NonNull<u8>> {
    // SAFETY: the layout has at least the size of a header.
    NonNull::new(unsafe { System.alloc(layout(bytes)?) })
}

/// Memory for a header and so many bytes of data from the system, with its owner.
fn map_pages(bytes: usize) -> Option<(NonNull<u8>, Option<MmapMut>)> {
    static MAPPED_BLOCKS: AtomicUsize = AtomicUsize::new(0);
    let place = MAPPED_BLOCKS.fetch_add(1, Ordering::Relaxed).wrapping_mul(STEP) % PAGE;
    let length = layout(bytes)?.size().checked_add(place)?;
    let mut mapping = MmapOptions::new().len(length).map_anon().ok()?;
    #[cfg(target_os = "linux")]
    // Systems without huge pages refuse.
    let _advised = mapping.advise(memmap2::Advice::HugePage);
    let start = mapping.get_mut(place..)?.as_mut_ptr();
    Some((NonNull::new(start)?, Some(mapping)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_mapped_blocks_are_aligned_and_writable() {
        for bytes in [64, MAPPED - 64, MAPPED, 3 * MAPPED + 64] {
            let block = Block::new(bytes).unwrap();
            let data = Header::data(block.header());
            assert_eq!((data.as_ptr().addr() % BLOCK_ALIGNMENT, block.bytes()), (0, bytes));
            // SAFETY: the block has that many bytes.
            unsafe {
                data.write_bytes(7, bytes);
                assert_eq!(data.add(bytes - 1).read(), 7);
                assert_eq!(Header::of(data), block.header());
            }
        }
    }

    #[test]
    fn mapped_blocks_begin_at_different_places_of_a_page() {
        let blocks: Vec<Block> = (0..4).filter_map(|_| Block::new(MAPPED)).collect();
        let places = blocks.iter().map(|block| Header::data(block.header()).as_ptr().addr() % PAGE);
        let places: std::collections::BTreeSet<usize> = places.collect();
        assert!(places.len() >= 3, "{places:?}: other tests may take places in between");
    }

    #[test]
    fn too_large_a_block_is_refused() {
        assert!(Block::new(usize::MAX - 63).is_none());
        assert!(Block::new(1 << 62).is_none());
    }
}
