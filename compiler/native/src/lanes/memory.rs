//! Memory for the arrays of lanes: allocated once for all strips of a segment function, before the first.
//!
//! Element `i` of lane `l` is element `i * lanes + l`. If the arrays of all lanes would take more than [`MAX_BYTES`],
//! there is no memory, and all points run one by one.

use std::collections::BTreeMap;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use ravel_vector::Memory;

use super::{Lanes, Strips};
use crate::emitter::Emitter;

/// The most bytes of the arrays of all lanes.
const MAX_BYTES: i64 = 1 << 24;

/// The memory of the strips of a segment function.
#[derive(Default)]
pub(crate) struct LaneMemory {
    /// The addresses of the memories.
    addresses: BTreeMap<Memory, Value>,
    /// Whether there is memory; `None` if none is needed.
    fits: Option<Value>,
}

impl LaneMemory {
    /// The address of a memory.
    pub fn address(&self, memory: Memory) -> Value {
        self.addresses[&memory]
    }
}

impl Emitter<'_, '_> {
    /// Emits `points`, code that runs points, with memory for the strips among it.
    pub fn with_lane_memory(&mut self, strips: Option<&Strips>, points: impl FnOnce(&mut Self)) {
        let Some(strips) = strips.filter(|strips| strips.strip().preallocated().next().is_some()) else {
            return points(self);
        };
        let (strip, lanes) = (strips.strip(), strips.lanes());
        let outside = Lanes::outside(self, strip);
        let mut total = self.index(0);
        let mut starts = Vec::new();
        for (memory, count) in strip.preallocated() {
            let count = outside.scalar(self, count);
            let bytes =
                self.builder.ins().imul_imm_s(count, lanes * strip.memories[memory].elem.bytes() as i64);
            starts.push((memory, total));
            total = self.builder.ins().iadd(total, bytes);
        }
        let fits = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, total, MAX_BYTES);
        let none = self.index(0);
        let bytes = self.builder.ins().select(fits, total, none);
        let block = self.allocate(bytes, 1);
        let addresses =
            starts.into_iter().map(|(memory, start)| (memory, self.builder.ins().iadd(block, start)));
        self.lane_memory = LaneMemory { addresses: addresses.collect(), fits: Some(fits) };
        points(self);
        self.release(block);
    }

    /// The address of a strip function; 0 if there is no memory for it.
    pub(super) fn null_without_memory(&mut self, address: Value) -> Value {
        let Some(fits) = self.lane_memory.fits else { return address };
        let none = self.index(0);
        self.builder.ins().select(fits, address, none)
    }

    /// Where the points of a row may stop running in strips: at its end, or at its beginning if there is no memory.
    pub fn end_of_strips(&mut self, begin: Value, end: Value) -> Value {
        match self.lane_memory.fits {
            Some(fits) => self.builder.ins().select(fits, end, begin),
            None => end,
        }
    }
}
