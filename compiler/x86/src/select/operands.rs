//! Operands of instructions: the registers of values, constants in memory, and scalars in all lanes.

use ravel_prim::{PrimType, PrimValue};
use ravel_vector::Operand;
use regalloc2::{RegClass, VReg};

use super::{Binding, Selector};
use crate::encode::Size;
use crate::instruction::Op;
use crate::machine::{self, Address, Source};

impl Selector<'_> {
    pub(super) fn binding(&self, operand: Operand) -> Binding {
        match operand {
            Operand::Value(value) => {
                self.values.get(&value).cloned().expect("verified: bound before its use")
            }
            Operand::Const(constant) => Binding::Constant(constant),
        }
    }

    /// The number of registers of a varying value.
    pub(super) fn registers_of(&self, ty: PrimType) -> usize {
        if ty == PrimType::Bool && self.has_avx512() {
            return 1;
        }
        self.lanes * self.lane_bytes(ty) / self.register_size(ty).bytes()
    }

    /// The size of the registers of a varying value.
    pub(super) fn register_size(&self, ty: PrimType) -> Size {
        match self.lanes * self.lane_bytes(ty) / Size::Y.bytes() {
            1 => Size::Y,
            _ => self.largest(),
        }
    }

    /// The size of the largest vectors.
    pub(super) fn largest(&self) -> Size {
        self.function.extension.size()
    }

    pub(super) fn lane_bytes(&self, ty: PrimType) -> usize {
        if ty == PrimType::Bool { self.mask_bytes } else { ty.bytes() }
    }

    /// The sum of a general register and a constant.
    pub(super) fn sum(&mut self, register: VReg, displacement: i32) -> VReg {
        let address = Address::Register { scale: None, displacement };
        let memory = machine::Memory { address, registers: vec![register] };
        self.general(Op::Lea, Size::G64, Source::Memory(memory))
    }

    /// An instruction on general registers with one source.
    pub(super) fn general(&mut self, op: Op, size: Size, source: impl Into<Source>) -> VReg {
        self.function.define(op, size, RegClass::Int, &[], source, 0)
    }

    /// A vector instruction. It has the size of its narrowest vector; of the largest ones, if it has none.
    pub(super) fn vector(&mut self, op: Op, uses: &[VReg], last: impl Into<Source>) -> VReg {
        self.vector_with(op, uses, last, 0)
    }

    pub(super) fn vector_with(
        &mut self,
        op: Op,
        uses: &[VReg],
        last: impl Into<Source>,
        immediate: i32,
    ) -> VReg {
        let last = last.into();
        let size = self.function.narrowest(uses, &last);
        self.function.define(op, size, RegClass::Float, uses, last, immediate)
    }

    /// A vector instruction of this size.
    pub(super) fn sized(&mut self, op: Op, size: Size, uses: &[VReg], last: impl Into<Source>) -> VReg {
        self.function.define(op, size, RegClass::Float, uses, last, 0)
    }

    /// Loads a register.
    pub(super) fn load_register(&mut self, size: Size, place: Source) -> VReg {
        self.sized(Op::Vmovups, size, &[], place)
    }

    /// A vector instruction of 128 bits.
    pub(super) fn xmm(&mut self, op: Op, uses: &[VReg], last: impl Into<Source>, immediate: i32) -> VReg {
        self.function.define(op, Size::X, RegClass::Float, uses, last, immediate)
    }

    /// The constant in memory that has these bits in each lane of so many bytes.
    pub(super) fn broadcast_constant(&mut self, bytes: usize, bits: u64) -> Source {
        let lane = &bits.to_le_bytes()[..bytes];
        self.pool(&lane.repeat(self.largest().bytes() / bytes))
    }

    /// The constant in memory with these bytes.
    pub(super) fn pool(&mut self, bytes: &[u8]) -> Source {
        let address = Address::Constant(self.function.constant(bytes));
        Source::Memory(machine::Memory { address, registers: Vec::new() })
    }

    /// The constant as an operand in memory. A bool has all bits set or none.
    pub(super) fn constant_source(&mut self, constant: PrimValue) -> Source {
        match constant {
            PrimValue::Bool(true) => self.broadcast_constant(8, u64::MAX),
            PrimValue::Bool(false) => self.broadcast_constant(8, 0),
            _ => self.broadcast_constant(constant.ty().bytes(), constant.bits()),
        }
    }

    /// New registers for a varying value.
    pub(super) fn fresh(&mut self, ty: PrimType) -> Vec<VReg> {
        if ty == PrimType::Bool && self.has_avx512() {
            return vec![self.function.mask()];
        }
        let size = self.register_size(ty);
        (0..self.registers_of(ty)).map(|_| self.function.vector(size)).collect()
    }

    /// The registers of an operand in all lanes: the mask, if it is a bool.
    pub(super) fn values_of(&mut self, operand: Operand) -> Vec<VReg> {
        match self.strip.ty(operand) {
            PrimType::Bool => self.mask_of(operand),
            _ => self.lanes_of(operand),
        }
    }

    /// The registers of an operand in all lanes.
    pub(super) fn lanes_of(&mut self, operand: Operand) -> Vec<VReg> {
        self.sources_of(operand).into_iter().map(|source| self.in_register(source)).collect()
    }

    pub(super) fn in_register(&mut self, source: Source) -> VReg {
        match source {
            Source::Register(register) => register,
            Source::Memory(_) => self.vector(Op::Vmovups, &[], source),
        }
    }

    /// The operand in all lanes; constants stay in memory.
    pub(super) fn sources_of(&mut self, operand: Operand) -> Vec<Source> {
        let ty = self.strip.ty(operand);
        let count = self.registers_of(ty);
        match self.binding(operand) {
            Binding::Lanes(registers) => registers.into_iter().map(Source::Register).collect(),
            Binding::Splat(register) => vec![register.into(); count],
            Binding::Constant(constant) => vec![self.constant_source(constant); count],
            Binding::General(_) | Binding::Sum(..) => {
                let splat = match operand.value().filter(|value| self.invariant.contains(value)) {
                    None => self.splat(ty, operand),
                    Some(value) => match self.splats.get(&value) {
                        Some(&splat) => splat,
                        None => {
                            let splat = self.in_preheader(|this| this.splat(ty, operand));
                            self.splats.insert(value, splat);
                            splat
                        }
                    },
                };
                vec![splat.into(); count]
            }
        }
    }

    /// An integer or bool in all lanes.
    pub(super) fn splat(&mut self, ty: PrimType, operand: Operand) -> VReg {
        let scalar = self.general_of(operand);
        let scalar = match ty {
            PrimType::Bool => self.function.update(Op::Neg, Size::G64, scalar, None, 0),
            _ => scalar,
        };
        if self.lane_bytes(ty) == 8 {
            let low = self.xmm(Op::VmovqFromGeneral, &[], scalar, 0);
            self.sized(Op::Vbroadcastsd, self.largest(), &[], low)
        } else {
            let low = self.xmm(Op::VmovdFromGeneral, &[], scalar, 0);
            self.sized(Op::Vbroadcastss, self.largest(), &[], low)
        }
    }
}
