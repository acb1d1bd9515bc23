//! Blocks of memory, and the detection of races between the points of a segment.

use ravel_abi::Failure;
use ravel_kernel::Space;
use ravel_prim::{BinOp, PrimType, PrimValue};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::device::{BANKS, Device, WORD};

/// An element: its block and its position there.
pub type Place = (usize, usize);

/// A memory block, with `None` for elements that were never written.
struct Block {
    elements: Vec<Option<PrimValue>>,
    /// The bytes of an element on the device.
    width: u64,
    space: Space,
}

/// The blocks of a run.
#[derive(Default)]
pub struct Memory {
    blocks: Vec<Block>,
    /// The bytes of blocks in device memory.
    used: u64,
    limit: u64,
    /// The bytes of a sector.
    sector: u64,
    /// The running segments: the grid segment, and in it an inner segment.
    segments: Vec<Segment>,
    /// The sectors of device memory that the launch has touched.
    sectors: FxHashSet<(usize, u64)>,
}

/// The accesses of the points of a running segment.
struct Segment {
    /// The number of blocks before the segment. Later blocks belong to single points.
    blocks: usize,
    /// The point that makes all accesses, if the points are workgroups, which run one after the other. `None` if the points
    /// are threads: then each access states its point.
    point: Option<usize>,
    readers: FxHashMap<Place, Accessor>,
    writers: FxHashMap<Place, usize>,
}

/// The points that have read an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Accessor {
    One(usize),
    Several,
}

/// The cost of one access of a subgroup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Bytes of device memory.
    pub bytes: u64,
    /// Sectors of device memory.
    pub sectors: u64,
    /// The fewest sectors that could hold the elements in device memory.
    pub needed_sectors: u64,
    /// Words of workgroup memory.
    pub words: u64,
    /// Bank conflicts of workgroup memory.
    pub bank_conflicts: u64,
}

impl Memory {
    /// The empty memory of a device.
    pub fn new(device: &Device) -> Memory {
        Memory { limit: device.memory(), sector: device.sector, ..Memory::default() }
    }

    /// A new block; its elements are unspecified.
    pub fn allocate(&mut self, elem: PrimType, count: i64, space: Space) -> Result<usize, Failure> {
        let width = ravel_abi::plan::device_bytes(elem) as u64;
        let bytes = u128::from(count as u64) * u128::from(width);
        let on_device = space == Space::Device;
        let free = if on_device { self.limit.saturating_sub(self.used) } else { self.limit };
        if bytes > u128::from(free) {
            return Err(Failure::out_of_memory(bytes));
        }
        let mut elements = Vec::new();
        elements.try_reserve_exact(count as usize).map_err(|_| Failure::out_of_memory(bytes))?;
        elements.resize(count as usize, None);
        self.used += if on_device { bytes as u64 } else { 0 };
        self.blocks.push(Block { elements, width, space });
        Ok(self.blocks.len() - 1)
    }

    /// A new block of device memory with these elements.
    pub fn allocate_filled(
        &mut self,
        elem: PrimType,
        values: impl ExactSizeIterator<Item = PrimValue>,
    ) -> Result<usize, Failure> {
        let block = self.allocate(elem, values.len() as i64, Space::Device)?;
        for (element, value) in self.blocks[block].elements.iter_mut().zip(values) {
            *element = Some(value);
        }
        Ok(block)
    }

    /// The bytes of device memory that are allocated.
    pub fn allocated(&self) -> u64 {
        self.used
    }

    /// The elements of a block.
    pub fn elements(&self, block: usize) -> &[Option<PrimValue>] {
        &self.blocks[block].elements
    }

    /// The number of distinct sectors that the launch has touched. Begins the next launch.
    pub fn take_sectors(&mut self) -> u64 {
        self.sectors.drain().count() as u64
    }

    /// Begins the workgroup of this point of the grid segment.
    pub fn begin_workgroup(&mut self, point: usize) {
        if let Some(segment) = self.segments.last_mut() {
            segment.point = Some(point);
        }
    }

    /// Begins a grid segment or an inner segment.
    pub fn begin_segment(&mut self) {
        let (readers, writers) = (FxHashMap::default(), FxHashMap::default());
        self.segments.push(Segment { blocks: self.blocks.len(), point: None, readers, writers });
    }

    /// Ends a segment.
    pub fn end_segment(&mut self) {
        self.release_points();
        self.segments.pop();
    }

    /// Frees the blocks that points of the innermost segment have allocated so far.
    pub fn release_points(&mut self) {
        if let Some(segment) = self.segments.last() {
            for block in self.blocks.drain(segment.blocks..).filter(|block| block.space == Space::Device) {
                self.used -= block.elements.len() as u64 * block.width;
            }
        }
    }

    /// The element at a place, read by a point of the innermost segment.
    pub fn load(&mut self, place: Place, point: Option<usize>) -> Result<PrimValue, Failure> {
        for segment in &mut self.segments {
            let Some(point) = segment.point.or(point).filter(|_| place.0 < segment.blocks) else { continue };
            if segment.writers.get(&place).is_some_and(|&writer| writer != point) {
                return fault("a point reads an element that another point of its segment has written");
            }
            let reader = segment.readers.entry(place).or_insert(Accessor::One(point));
            if *reader != Accessor::One(point) {
                *reader = Accessor::Several;
            }
        }
        self.peek(place)?.map_or_else(|| fault("an element is read that was never written"), Ok)
    }

    /// Overwrites the element at a place. Several points may write an element, as the values of a `scatter` with equal
    /// indices do: then it is unspecified which value stays, and no point may read it in this segment.
    pub fn store(
        &mut self,
        place: Place,
        value: Option<PrimValue>,
        point: Option<usize>,
    ) -> Result<(), Failure> {
        let element = self.blocks.get_mut(place.0).and_then(|block| block.elements.get_mut(place.1));
        let Some(element) = element else { return fault("an element outside of its block is written") };
        for segment in &mut self.segments {
            let Some(point) = segment.point.or(point).filter(|_| place.0 < segment.blocks) else { continue };
            if segment.readers.get(&place).is_some_and(|&reader| reader != Accessor::One(point)) {
                return fault("a point writes an element that another point of its segment has read");
            }
            segment.writers.insert(place, point);
        }
        *element = value;
        Ok(())
    }

    /// Combines a value into the element at a place. The verifier has checked that the segment accesses the element in no
    /// other way, and by one operator, so any order is right.
    pub fn combine(&mut self, place: Place, op: BinOp, value: PrimValue) -> Result<(), Failure> {
        let Some(element) = self.peek(place)? else {
            return fault("a value is combined into an element that was never written");
        };
        let combined = ravel_prim::binary(op, element, value);
        if combined.is_none() {
            return fault("values are combined by an operator that fails");
        }
        self.blocks[place.0].elements[place.1] = combined;
        Ok(())
    }

    /// The element at a place, if it was written. This is not recorded as an access.
    pub fn peek(&self, place: Place) -> Result<Option<PrimValue>, Failure> {
        let element = self.blocks.get(place.0).and_then(|block| block.elements.get(place.1));
        element.copied().map_or_else(|| fault("an element outside of its block is read"), Ok)
    }

    /// The cost of one access of a subgroup to these positions of a numbered array of scratch memory. There the launches of a
    /// segment pass values to each other; the model counts their traffic, but does not store them.
    pub fn scratch_traffic(&mut self, array: usize, width: u64, positions: &[usize]) -> Traffic {
        // Scratch arrays are numbered downwards from the largest number, so that their numbers are not those of blocks.
        let array = usize::MAX - array;
        self.device_traffic(
            positions.iter().map(|&position| (array, position as u64 * width, width)).collect(),
        )
    }

    /// The cost of one access of a subgroup to elements in device memory, each with its block, its first byte there and its
    /// width. Records the sectors that they touch.
    fn device_traffic(&mut self, mut elements: Vec<(usize, u64, u64)>) -> Traffic {
        let bytes = elements.iter().map(|&(.., width)| width).sum();
        elements.sort_unstable();
        elements.dedup();
        let distinct: u64 = elements.iter().map(|&(.., width)| width).sum();
        let mut sectors: Vec<_> =
            elements.iter().map(|&(block, start, _)| (block, start / self.sector)).collect();
        sectors.dedup();
        let traffic = Traffic {
            bytes,
            sectors: sectors.len() as u64,
            needed_sectors: distinct.div_ceil(self.sector),
            ..Traffic::default()
        };
        self.sectors.extend(sectors);
        traffic
    }

    /// The cost of one access of a subgroup to these places. Private memory costs nothing.
    pub fn traffic(&mut self, places: impl IntoIterator<Item = Place>) -> Traffic {
        let (mut elements, mut words) = (Vec::new(), Vec::new());
        for (block, position) in places {
            let Some(Block { width, space, .. }) = self.blocks.get(block) else { continue };
            let start = position as u64 * width;
            match space {
                Space::Device => elements.push((block, start, *width)),
                Space::Workgroup => words
                    .extend((start / WORD..(start + width) / WORD).map(|word| (word % BANKS, block, word))),
                Space::Private => (),
            }
        }
        let traffic = self.device_traffic(elements);
        Traffic { words: words.len() as u64, bank_conflicts: bank_conflicts(words), ..traffic }
    }
}

/// The cost of one access of a subgroup to these positions of an array in workgroup memory, with elements of `width` bytes.
pub fn tile_traffic(width: u64, positions: impl Iterator<Item = usize>) -> Traffic {
    let words: Vec<_> = positions
        .flat_map(|at| (0..width / WORD).map(move |word| at as u64 * (width / WORD) + word))
        .map(|word| (word % BANKS, 0, word))
        .collect();
    Traffic { words: words.len() as u64, bank_conflicts: bank_conflicts(words), ..Traffic::default() }
}

/// The cost of a combination of a subgroup into words at these positions of an array in workgroup memory. A bank combines one
/// value at a time, also if all go to one word.
pub fn combined_traffic(positions: impl Iterator<Item = usize>) -> Traffic {
    let mut banks: Vec<u64> = positions.map(|at| at as u64 % BANKS).collect();
    banks.sort_unstable();
    Traffic { words: banks.len() as u64, bank_conflicts: excess(&banks), ..Traffic::default() }
}

/// The bank conflicts of an access to words, each with its bank and its block. A bank gives a word to any number of lanes.
fn bank_conflicts(mut words: Vec<(u64, usize, u64)>) -> u64 {
    words.sort_unstable();
    words.dedup();
    excess(&words.into_iter().map(|(bank, ..)| bank).collect::<Vec<_>>())
}

/// How many more of these accesses, sorted by bank, go to the busiest bank than if they were spread evenly.
fn excess(banks: &[u64]) -> u64 {
    let busiest = banks.chunk_by(|bank, next| bank == next).map(<[_]>::len).max().unwrap_or(0);
    (busiest as u64).saturating_sub((banks.len() as u64).div_ceil(BANKS))
}

/// A bug in the compiled program.
pub fn fault<T>(what: &str) -> Result<T, Failure> {
    Err(Failure::Bug(format!("machine model: {what}")))
}
