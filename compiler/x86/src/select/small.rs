//! Loads and stores of bools and of integers of 8 and 16 bits. In lanes, these integers have 32 bits.
//!
//! If the lanes access neighbouring elements, one instruction loads the elements for a register and extends them to 32 bits.
//! A store packs the lanes first. These instructions take no mask. So an access under a mask tests whether all lanes take
//! part. If not, it accesses the elements lane by lane, as gathers and scatters do.
//!
//! A load needs no such test if all its elements exist, since it may then load those of the other lanes too. They exist if
//! they lie at or after the beginning of the memory, and before elements that all lanes have accessed earlier.

use ravel_prim::PrimType;
use ravel_vector::{Memory, Operand, Position, Refusal};
use regalloc2::VReg;

use super::access::{Layout, offset_by};
use super::masks::MaskOp;
use super::{Binding, Selector};
use crate::encode::Size;
use crate::instruction::Op;
use crate::machine::{self, Address, Condition, Source};

/// The type of lanes, as far as masks are concerned.
const LANE: PrimType = PrimType::U32;

impl Selector<'_> {
    pub(super) fn load_small(
        &mut self,
        memory: Memory,
        position: Position,
        mask: Option<Operand>,
    ) -> Result<Binding, Refusal> {
        let ty = self.strip.memories[memory].elem;
        let extend = extending(ty)?;
        let mask = self.lane_mask(mask);
        let registers = match (self.layout(memory, position), mask) {
            (Layout::Contiguous(place), None) => {
                self.note_load(memory, position);
                self.load_packed(extend, ty, &place)
            }
            (Layout::Contiguous(place), Some(mask)) if self.strip.memories[memory].place.is_private() => {
                let all = self.load_packed(extend, ty, &place);
                self.both(&all, &mask)
            }
            (Layout::Contiguous(place), Some(mask)) => {
                let join = self.function.label();
                let some = match self.start_before_load(memory, position) {
                    Some(start) => self.if_not_negative(start),
                    None => self.if_all(&mask),
                };
                let all = self.load_packed(extend, ty, &place);
                let all = self.both(&all, &mask);
                self.function.jump(join, all);
                self.function.begin(some, Vec::new());
                let at = self.positions(position);
                let each = self.load_each(memory, &at, Some(&mask));
                self.function.jump(join, each);
                let size = self.register_size(LANE);
                let registers: Vec<VReg> = mask.iter().map(|_| self.function.vector(size)).collect();
                self.function.begin(join, registers.clone());
                registers
            }
            (Layout::Scattered(at), mask) => self.load_each(memory, &at, mask.as_deref()),
        };
        if ty != PrimType::Bool {
            return Ok(Binding::Lanes(registers));
        }
        let mask = self.mask_of_bits(&registers);
        Ok(Binding::Lanes(self.mask_from(LANE, mask)))
    }

    pub(super) fn store_small(
        &mut self,
        memory: Memory,
        position: Position,
        value: Operand,
        mask: Option<Operand>,
    ) -> Result<(), Refusal> {
        let ty = self.strip.memories[memory].elem;
        let extend = extending(ty)?;
        let registers = match ty {
            PrimType::Bool => {
                let (one, mask) = (self.broadcast_constant(4, 1), self.mask_of(value));
                let mask = self.mask_for(&mask, LANE);
                mask.into_iter().map(|mask| self.keep(LANE, mask, one.clone())).collect()
            }
            _ => self.lanes_of(value),
        };
        let mask = self.lane_mask(mask);
        match (self.layout(memory, position), mask) {
            (Layout::Contiguous(place), None) => self.store_packed(ty, &place, &registers),
            (Layout::Contiguous(place), Some(mask)) if self.strip.memories[memory].place.is_private() => {
                let old = self.load_packed(extend, ty, &place);
                let pairs = registers.iter().zip(old).zip(&mask);
                let new: Vec<VReg> =
                    pairs.map(|((&new, old), &mask)| self.blend(LANE, mask, new.into(), old)).collect();
                self.store_packed(ty, &place, &new);
            }
            (Layout::Contiguous(place), Some(mask)) => {
                let join = self.function.label();
                let some = self.if_all(&mask);
                self.store_packed(ty, &place, &registers);
                self.function.jump(join, Vec::new());
                self.function.begin(some, Vec::new());
                let at = self.positions(position);
                self.scatter(memory, LANE, &at, &registers, Some(&mask));
                self.function.jump(join, Vec::new());
                self.function.begin(join, Vec::new());
            }
            (Layout::Scattered(at), mask) => self.scatter(memory, LANE, &at, &registers, mask.as_deref()),
        }
        Ok(())
    }

    fn lane_mask(&mut self, mask: Option<Operand>) -> Option<Vec<VReg>> {
        let mask = self.mask_of(mask?);
        Some(self.mask_for(&mask, LANE))
    }

    /// Begins a block that runs if all lanes of a mask are true. Returns the label of the block for the other case.
    fn if_all(&mut self, mask: &[VReg]) -> machine::Label {
        let [all, some] = [(); 2].map(|()| self.function.label());
        let mut common = mask[0];
        for &mask in &mask[1..] {
            common = self.join_masks(MaskOp::And, &[common], &[mask])[0];
        }
        self.test_mask(common);
        self.function.branch(Condition::ALL, all, some);
        self.function.begin(all, Vec::new());
        some
    }

    /// Begins a block that runs if a number is not negative. Returns the label of the block for the other case.
    fn if_not_negative(&mut self, number: VReg) -> machine::Label {
        let [inside, outside] = [(); 2].map(|()| self.function.label());
        self.function.perform(Op::Test, Size::G64, &[number, number], None, 0);
        self.function.branch(Condition::LESS, outside, inside);
        self.function.begin(inside, Vec::new());
        outside
    }

    /// Records that all lanes access contiguous elements, the first of them at this position.
    fn note_load(&mut self, memory: Memory, position: Position) {
        self.known_loads.extend(self.contiguous(position).map(|(base, offset)| (memory, base, offset)));
    }

    /// The position of lane 0, if the elements up to that of the last lane end before elements that exist. Then all lanes
    /// may load if this position is not negative.
    fn start_before_load(&mut self, memory: Memory, position: Position) -> Option<VReg> {
        let (base, offset) = self.contiguous(position)?;
        let is_before =
            |&(other, from, known): &(Memory, VReg, i32)| (other, from) == (memory, base) && offset <= known;
        self.known_loads.iter().any(is_before).then(|| self.sum(base, offset))
    }

    /// The position of lane 0 of a contiguous access, as a base and an offset.
    fn contiguous(&self, position: Position) -> Option<(VReg, i32)> {
        let Position::Strided { first, .. } = position else { return None };
        match self.binding(first) {
            Binding::General(base) => Some((base, 0)),
            Binding::Sum(base, offset) => Some((base, offset)),
            _ => None,
        }
    }

    /// Loads neighbouring elements, extended to 32 bits.
    fn load_packed(&mut self, extend: Op, ty: PrimType, place: &machine::Memory) -> Vec<VReg> {
        let (count, size) = (self.registers_of(LANE), self.register_size(LANE));
        let bytes = size.bytes() / LANE.bytes() * ty.bytes();
        let register = |number: usize| {
            let place = offset_by(place, bytes * number);
            self.sized(extend, size, &[], Source::Memory(place))
        };
        (0..count).map(register).collect()
    }

    /// Stores neighbouring elements.
    fn store_packed(&mut self, ty: PrimType, place: &machine::Memory, registers: &[VReg]) {
        let (to_words, to_bytes) = match ty.is_signed() {
            true => (Op::Vpackssdw, Op::Vpacksswb),
            false => (Op::Vpackusdw, Op::Vpackuswb),
        };
        let size = self.register_size(LANE);
        let bytes = size.bytes() / LANE.bytes() * ty.bytes();
        for (number, &register) in registers.iter().enumerate() {
            let place = Source::Memory(offset_by(place, bytes * number));
            if self.has_avx512() {
                let narrow = if ty.bytes() == 2 { Op::VpmovdwStore } else { Op::VpmovdbStore };
                self.function.perform(narrow, size, &[register], Some(place), 0);
                continue;
            }
            let upper = self.upper(size, register);
            let words = self.xmm(to_words, &[register], upper, 0);
            if ty.bytes() == 2 {
                self.function.perform(Op::VmovupsStore, Size::X, &[words], Some(place), 0);
            } else {
                let bytes = self.xmm(to_bytes, &[words], words, 0);
                self.function.perform(Op::VmovqStore, Size::X, &[bytes], Some(place), 0);
            }
        }
    }

    /// Loads lane by lane, through the stack.
    fn load_each(&mut self, memory: Memory, at: &[VReg], mask: Option<&[VReg]>) -> Vec<VReg> {
        let ty = self.strip.memories[memory].elem;
        let frame = self.function.on_stack(4 * self.lanes);
        let slot = |bytes: usize| {
            let address = Address::Frame { scale: None, displacement: frame + bytes as i32 };
            Source::Memory(machine::Memory { address, registers: Vec::new() })
        };
        let bits = mask.map(|mask| self.lane_bits(mask));
        for lane in 0..self.lanes {
            let place = Source::Memory(self.place_of_lane(memory, LANE, at, bits.as_deref(), lane));
            let Binding::General(element) = self.load_uniform(ty, place) else { unreachable!("an integer") };
            self.function.perform(Op::MovStore, Size::G32, &[element], Some(slot(4 * lane)), 0);
        }
        let (count, size) = (self.registers_of(LANE), self.register_size(LANE));
        let register = |number| self.load_register(size, slot(size.bytes() * number));
        let registers: Vec<VReg> = (0..count).map(register).collect();
        match mask {
            Some(mask) => self.both(&registers, mask),
            None => registers,
        }
    }

    /// The lanes of a mask, and zero elsewhere.
    fn both(&mut self, a: &[VReg], b: &[VReg]) -> Vec<VReg> {
        a.iter().zip(b).map(|(&a, &mask)| self.keep(LANE, mask, a.into())).collect()
    }
}

/// The instruction that loads neighbouring elements.
fn extending(ty: PrimType) -> Result<Op, Refusal> {
    match ty {
        PrimType::Bool | PrimType::U8 => Ok(Op::Vpmovzxbd),
        PrimType::I8 => Ok(Op::Vpmovsxbd),
        PrimType::U16 => Ok(Op::Vpmovzxwd),
        PrimType::I16 => Ok(Op::Vpmovsxwd),
        _ => Err(Refusal::Type(ty)),
    }
}

#[cfg(test)]
mod tests;
