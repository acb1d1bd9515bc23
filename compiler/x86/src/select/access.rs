//! Loads and stores in lanes: whole registers where lanes are neighbours, loads of rows (`rows`) where all lanes are equally far
//! from each other, otherwise gathers, or stores lane by lane.
//!
//! An element of a private array is one element of each lane, next to each other. So an access at a uniform position is
//! contiguous. Lanes outside the mask do not touch memory, or store to a place on the stack.

use ravel_prim::PrimType;
use ravel_vector::{Memory, Operand, Place, Position, Refusal};
use regalloc2::{Operand as Allocated, RegClass, VReg};

use super::{Base, Binding, Selector};
use crate::encode::Size;
use crate::instruction::Op;
use crate::machine::{self, Address, Kind, Source};

/// Where the lanes of an access lie.
pub(super) enum Layout {
    /// Next to each other, from here.
    Contiguous(machine::Memory),
    /// At these positions, as registers of i64.
    Scattered(Vec<VReg>),
}

impl Selector<'_> {
    pub(super) fn load(
        &mut self,
        memory: Memory,
        position: Position,
        mask: Option<Operand>,
    ) -> Result<Binding, Refusal> {
        let info = self.strip.memories[memory];
        let ty = info.elem;
        if let (Place::Block(_), Position::Uniform(at)) = (info.place, position) {
            let source = Source::Memory(self.element(memory, at, ty.bytes()));
            return Ok(self.load_uniform(ty, source));
        }
        if ty.bytes() < 4 {
            return self.load_small(memory, position, mask);
        }
        if let (Place::Block(_), Position::Strided { first, step }, None) = (info.place, position, mask)
            && !position.is_contiguous()
        {
            return Ok(Binding::Lanes(self.load_column(memory, first, step)));
        }
        let mask = mask.map(|mask| {
            let mask = self.mask_of(mask);
            self.mask_for(&mask, ty)
        });
        let size = self.register_size(ty);
        let registers = match self.layout(memory, position) {
            Layout::Contiguous(place) => (0..self.registers_of(ty))
                .map(|number| {
                    let source = Source::Memory(offset_by(&place, size.bytes() * number));
                    match &mask {
                        None => self.load_register(size, source),
                        Some(mask) => {
                            let [load, ..] = self.masked_accesses(ty);
                            self.sized(load, size, &[mask[number]], source)
                        }
                    }
                })
                .collect(),
            Layout::Scattered(at) => self.gather(memory, ty, &at, mask),
        };
        Ok(Binding::Lanes(registers))
    }

    pub(super) fn store(
        &mut self,
        memory: Memory,
        position: Position,
        value: Operand,
        mask: Option<Operand>,
    ) -> Result<(), Refusal> {
        let info = self.strip.memories[memory];
        let ty = info.elem;
        if ty.bytes() < 4 {
            return self.store_small(memory, position, value, mask);
        }
        let size = self.register_size(ty);
        let registers = self.lanes_of(value);
        let mask = mask.map(|mask| {
            let mask = self.mask_of(mask);
            self.mask_for(&mask, ty)
        });
        match self.layout(memory, position) {
            Layout::Contiguous(place) => {
                for (number, register) in registers.into_iter().enumerate() {
                    let place = Source::Memory(offset_by(&place, size.bytes() * number));
                    match &mask {
                        None => {
                            self.function.perform(Op::VmovupsStore, size, &[register], Some(place), 0);
                        }
                        // The other lanes of a private array keep what they have.
                        Some(mask) if info.place.is_private() && !self.has_avx512() => {
                            let old = self.load_register(size, place.clone());
                            let new = self.blend(ty, mask[number], register.into(), old);
                            self.function.perform(Op::VmovupsStore, size, &[new], Some(place), 0);
                        }
                        Some(mask) => {
                            let [_, store, _] = self.masked_accesses(ty);
                            self.function.perform(store, size, &[mask[number], register], Some(place), 0);
                        }
                    }
                }
            }
            Layout::Scattered(at) => match (position, at.as_slice(), &mask) {
                (Position::Rising(_), &[at], Some(mask)) if self.has_avx512() && !info.place.is_private() => {
                    self.store_rising(memory, ty, at, registers[0], mask[0]);
                }
                _ => self.scatter(memory, ty, &at, &registers, mask.as_deref()),
            },
        }
        Ok(())
    }

    /// The element of a shared memory at a uniform position.
    pub(super) fn element(&mut self, memory: Memory, at: Operand, bytes: usize) -> machine::Memory {
        let Base::Block(base) = self.memories[&memory] else { unreachable!("a block") };
        let scale = bytes.trailing_zeros() as u8;
        let far = |elements: i64| elements.checked_mul(bytes as i64).and_then(|far| i32::try_from(far).ok());
        // A displacement of the address saves an instruction that adds. The access may span several registers, whose
        // displacements must fit as well.
        let near = |far: i32| far.checked_add(4096).is_some();
        match self.binding(at) {
            Binding::Constant(constant) => {
                if let Some(displacement) = far(constant.bits() as i64).filter(|&far| near(far)) {
                    let address = Address::Register { scale: None, displacement };
                    return machine::Memory { address, registers: vec![base] };
                }
            }
            Binding::Sum(index, elements) => {
                if let Some(displacement) = far(i64::from(elements)).filter(|&far| near(far)) {
                    let address = Address::Register { scale: Some(scale), displacement };
                    return machine::Memory { address, registers: vec![base, index] };
                }
            }
            _ => {}
        }
        let index = self.general_of(at);
        let address = Address::Register { scale: Some(scale), displacement: 0 };
        machine::Memory { address, registers: vec![base, index] }
    }

    pub(super) fn layout(&mut self, memory: Memory, position: Position) -> Layout {
        let info = self.strip.memories[memory];
        let bytes = info.elem.bytes();
        if let Position::Uniform(at) = position
            && let Some(place) = self.row_by_parts(memory, at)
        {
            return Layout::Contiguous(place);
        }
        match (self.memories[&memory], position) {
            (Base::Block(_), Position::Strided { first, .. }) if position.is_contiguous() => {
                Layout::Contiguous(self.element(memory, first, bytes))
            }
            (Base::Frame(displacement), Position::Uniform(at)) => {
                let offset = self.row(at, bytes);
                let address = Address::Frame { scale: Some(0), displacement };
                Layout::Contiguous(machine::Memory { address, registers: vec![offset] })
            }
            (Base::Lanes(base), Position::Uniform(at)) => {
                let offset = self.row(at, bytes);
                let address = Address::Register { scale: Some(0), displacement: 0 };
                Layout::Contiguous(machine::Memory { address, registers: vec![base, offset] })
            }
            (start, position) => {
                let at = self.positions(position);
                Layout::Scattered(match start {
                    Base::Block(_) => at,
                    Base::Lanes(_) | Base::Frame(_) => {
                        let shift = self.lanes.trailing_zeros() as i32;
                        let rows = self.each(Op::VpsllqImm, &at, shift);
                        let lanes = self.ramp(Operand::i64(0), Operand::i64(1));
                        rows.into_iter()
                            .zip(lanes)
                            .map(|(row, lane)| self.vector(Op::Vpaddq, &[row], lane))
                            .collect()
                    }
                })
            }
        }
    }

    /// The position of each lane.
    pub(super) fn positions(&mut self, position: Position) -> Vec<VReg> {
        match position {
            Position::Uniform(at) | Position::Varying(at) | Position::Rising(at) => self.lanes_of(at),
            Position::Strided { first, step } => self.ramp(first, step),
        }
    }

    fn gather(&mut self, memory: Memory, ty: PrimType, at: &[VReg], mask: Option<Vec<VReg>>) -> Vec<VReg> {
        // A register of positions holds those of a register of elements, or of half of one.
        let has_halves = at.len() > self.registers_of(ty);
        let mut parts = Vec::new();
        for (number, &at) in at.iter().enumerate() {
            let mask = match &mask {
                None => self.mask_of(Operand::bool(true))[0],
                Some(mask) if !has_halves => mask[number],
                Some(mask) if number.is_multiple_of(2) => mask[number / 2],
                Some(mask) => self.upper_mask(mask[number / 2]),
            };
            parts.push(self.gather_part(memory, ty, at, mask));
        }
        if !has_halves {
            return parts;
        }
        parts.chunks(2).map(|pair| self.join(pair[0], pair[1])).collect()
    }

    /// Gathers the elements at the positions of one register.
    fn gather_part(&mut self, memory: Memory, ty: PrimType, at: VReg, mask: VReg) -> VReg {
        let zero = self.broadcast_constant(8, 0);
        let zero = self.in_register(zero);
        let scale = Some(ty.bytes().trailing_zeros() as u8);
        // That of the positions, which is that of the instruction.
        let size = self.largest();
        let of_result = if ty.bytes() == 8 { size } else { size.half() };
        let (result, spent) = (self.function.vector(of_result), self.function.like(mask));
        let mut operands = vec![
            Allocated::reg_reuse_def(result, 2),
            Allocated::reg_reuse_def(spent, 3),
            Allocated::reg_use(zero),
            Allocated::reg_use(mask),
        ];
        let address = match self.memories[&memory] {
            Base::Block(base) | Base::Lanes(base) => {
                operands.push(Allocated::reg_use(base));
                Address::Register { scale, displacement: 0 }
            }
            Base::Frame(displacement) => Address::Frame { scale, displacement },
        };
        operands.push(Allocated::reg_use(at));
        let [.., op] = self.masked_accesses(ty);
        self.function.push(Kind::Gather { op, size }, operands, Some(address));
        result
    }

    /// Stores lane by lane, in order. The values and the mask have lanes of this type.
    pub(super) fn scatter(
        &mut self,
        memory: Memory,
        ty: PrimType,
        at: &[VReg],
        values: &[VReg],
        mask: Option<&[VReg]>,
    ) {
        let (op, size) = match self.strip.memories[memory].elem.bytes() {
            1 => (Op::MovByteStore, Size::G32),
            2 => (Op::MovWordStore, Size::G32),
            4 => (Op::MovStore, Size::G32),
            _ => (Op::MovStore, Size::G64),
        };
        let mask = mask.map(|mask| self.lane_bits(mask));
        for lane in 0..self.lanes {
            let value = self.lane(ty, values, lane);
            let place = Source::Memory(self.place_of_lane(memory, ty, at, mask.as_deref(), lane));
            self.function.perform(op, size, &[value], Some(place), 0);
        }
    }

    /// Where the element of a lane lies, given the positions of all lanes. The mask is that of [`Selector::lane_bits`], for
    /// this type. For a lane outside the mask, it is a place on the stack.
    pub(super) fn place_of_lane(
        &mut self,
        memory: Memory,
        ty: PrimType,
        at: &[VReg],
        mask: Option<&[VReg]>,
        lane: usize,
    ) -> machine::Memory {
        let scale = Some(self.strip.memories[memory].elem.bytes().trailing_zeros() as u8);
        let position = self.lane(PrimType::I64, at, lane);
        let place = match self.memories[&memory] {
            Base::Block(base) | Base::Lanes(base) => machine::Memory {
                address: Address::Register { scale, displacement: 0 },
                registers: vec![base, position],
            },
            Base::Frame(displacement) => {
                machine::Memory { address: Address::Frame { scale, displacement }, registers: vec![position] }
            }
        };
        let Some(mask) = mask else { return place };
        let place = self.general(Op::Lea, Size::G64, Source::Memory(place));
        let discarded = self.discarded_store_address();
        self.test_lane(ty, mask, lane);
        let place = self.function.update(Op::Cmove, Size::G64, place, Some(discarded.into()), 0);
        let address = Address::Register { scale: None, displacement: 0 };
        machine::Memory { address, registers: vec![place] }
    }

    /// The address of the place to which excluded lanes store.
    fn discarded_store_address(&mut self) -> VReg {
        if let Some(discarded) = self.discarded_store {
            return discarded;
        }
        let displacement = self.function.on_stack(8);
        let address = Address::Frame { scale: None, displacement };
        let memory = Source::Memory(machine::Memory { address, registers: Vec::new() });
        let discarded = self.in_preheader(|this| this.general(Op::Lea, Size::G64, memory));
        self.discarded_store = Some(discarded);
        discarded
    }

    /// The bits of a lane in a general register.
    pub(super) fn lane(&mut self, ty: PrimType, registers: &[VReg], lane: usize) -> VReg {
        let each = self.register_size(ty).bytes() / ty.bytes();
        let of_part = Size::X.bytes() / ty.bytes();
        let place = lane % each;
        let part = self.part(registers[lane / each], place / of_part);
        let op = if ty.bytes() == 8 { Op::VpextrqToGeneral } else { Op::VpextrdToGeneral };
        self.function.define(op, Size::X, RegClass::Int, &[], part, (place % of_part) as i32)
    }
}

/// The place so many bytes after another.
pub(super) fn offset_by(place: &machine::Memory, bytes: usize) -> machine::Memory {
    let by = bytes as i32;
    let address = match place.address {
        Address::Register { scale, displacement } => {
            Address::Register { scale, displacement: displacement + by }
        }
        Address::Frame { scale, displacement } => Address::Frame { scale, displacement: displacement + by },
        Address::Constant(offset) => Address::Constant(offset + bytes),
    };
    machine::Memory { address, registers: place.registers.clone() }
}
