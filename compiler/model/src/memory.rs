//! Blocks of memory, and the check that the points of a segment keep out of each other's way.

use ravel_abi::Failure;
use ravel_prim::{PrimType, PrimValue};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::device::SECTOR;

/// An element: its block and its position there.
pub type Place = (usize, usize);

/// A block: its elements, of which some are not written yet.
struct Block {
    elements: Vec<Option<PrimValue>>,
    /// The bytes of an element on the device.
    width: u64,
    /// In device memory, not private.
    on_device: bool,
}

/// The blocks of a run.
#[derive(Default)]
pub struct Memory {
    blocks: Vec<Block>,
    /// The bytes of blocks in device memory.
    used: u64,
    limit: u64,
    launch: Option<Launch>,
}

/// The accesses of the launch that runs.
#[derive(Default)]
struct Launch {
    /// The blocks before the launch; later ones belong to single threads.
    blocks: usize,
    readers: FxHashMap<Place, usize>,
    writers: FxHashMap<Place, usize>,
    sectors: FxHashSet<(usize, u64)>,
}

impl Memory {
    /// A device with this many bytes.
    pub fn new(limit: u64) -> Memory {
        Memory { limit, ..Memory::default() }
    }

    /// A new block; its elements are unspecified.
    pub fn allocate(&mut self, elem: PrimType, count: i64, on_device: bool) -> Result<usize, Failure> {
        let width = ravel_abi::plan::device_bytes(elem) as u64;
        let bytes = u128::from(count as u64) * u128::from(width);
        let room = if on_device { self.limit.saturating_sub(self.used) } else { self.limit };
        if bytes > u128::from(room) {
            return Err(Failure::out_of_memory(bytes));
        }
        let mut elements = Vec::new();
        elements.try_reserve_exact(count as usize).map_err(|_| Failure::out_of_memory(bytes))?;
        elements.resize(count as usize, None);
        self.used += if on_device { bytes as u64 } else { 0 };
        self.blocks.push(Block { elements, width, on_device });
        Ok(self.blocks.len() - 1)
    }

    /// A new block of device memory with these elements.
    pub fn filled(
        &mut self,
        elem: PrimType,
        values: impl ExactSizeIterator<Item = PrimValue>,
    ) -> Result<usize, Failure> {
        let block = self.allocate(elem, values.len() as i64, true)?;
        for (element, value) in self.blocks[block].elements.iter_mut().zip(values) {
            *element = Some(value);
        }
        Ok(block)
    }

    /// The elements of a block.
    pub fn elements(&self, block: usize) -> &[Option<PrimValue>] {
        &self.blocks[block].elements
    }

    /// Begins a launch.
    pub fn begin_launch(&mut self) {
        self.launch = Some(Launch { blocks: self.blocks.len(), ..Launch::default() });
    }

    /// Ends a launch; gives how many distinct sectors it touched.
    pub fn end_launch(&mut self) -> u64 {
        self.release_threads();
        self.launch.take().map_or(0, |launch| launch.sectors.len() as u64)
    }

    /// Frees the blocks that the threads of this launch have allocated so far.
    pub fn release_threads(&mut self) {
        if let Some(launch) = &self.launch {
            for block in self.blocks.drain(launch.blocks..).filter(|block| block.on_device) {
                self.used -= block.elements.len() as u64 * block.width;
            }
        }
    }

    /// The element at a place, read by a point of the launch that runs.
    pub fn load(&mut self, place: Place, point: Option<usize>) -> Result<PrimValue, Failure> {
        if let (Some(launch), Some(point)) = (&mut self.launch, point)
            && place.0 < launch.blocks
        {
            if launch.writers.get(&place).is_some_and(|&writer| writer != point) {
                return fault("a point reads an element that another point of its segment has written");
            }
            launch.readers.insert(place, point);
        }
        self.peek(place)?.map_or_else(|| fault("an element is read that was never written"), Ok)
    }

    /// Overwrites the element at a place.
    pub fn store(
        &mut self,
        place: Place,
        value: Option<PrimValue>,
        point: Option<usize>,
    ) -> Result<(), Failure> {
        if let (Some(launch), Some(point)) = (&mut self.launch, point)
            && place.0 < launch.blocks
        {
            if launch.readers.get(&place).is_some_and(|&reader| reader != point) {
                return fault("a point writes an element that another point of its segment has read");
            }
            launch.writers.insert(place, point);
        }
        match self.blocks.get_mut(place.0).and_then(|block| block.elements.get_mut(place.1)) {
            Some(element) => *element = value,
            None => return fault("an element outside of its block is written"),
        }
        Ok(())
    }

    /// The element at a place, if it was written; not an access of a point.
    pub fn peek(&self, place: Place) -> Result<Option<PrimValue>, Failure> {
        let element = self.blocks.get(place.0).and_then(|block| block.elements.get(place.1));
        element.copied().map_or_else(|| fault("an element outside of its block is read"), Ok)
    }

    /// The bytes and sectors that one access of a subgroup to these places touches; private memory counts nothing.
    pub fn traffic(&mut self, places: impl IntoIterator<Item = Place>) -> (u64, u64) {
        let (mut bytes, mut sectors) = (0, Vec::new());
        for (block, position) in places {
            let Some(Block { width, on_device: true, .. }) = self.blocks.get(block) else { continue };
            bytes += width;
            sectors.push((block, position as u64 * width / SECTOR));
        }
        sectors.sort_unstable();
        sectors.dedup();
        if let Some(launch) = &mut self.launch {
            launch.sectors.extend(sectors.iter().copied());
        }
        (bytes, sectors.len() as u64)
    }
}

/// Refuses what no program may do.
pub fn fault<T>(what: &str) -> Result<T, Failure> {
    Err(Failure::Bug(format!("machine model: {what}")))
}
