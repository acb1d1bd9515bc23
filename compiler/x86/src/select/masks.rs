//! Masks: vectors with AVX2, mask registers with AVX-512.
//!
//! With AVX2, a mask is a vector with all bits set in the lanes that are true, and none in the others. Comparisons make
//! such vectors, and masked instructions take them. The masks of a strip are as wide as its widest varying value; an
//! instruction on smaller values takes a mask of their width.
//!
//! With AVX-512, a mask is one register with a bit for each lane. The bits of lanes that do not exist may be anything.

use ravel_prim::PrimType;
use ravel_vector::Operand;
use regalloc2::{RegClass, VReg};

use super::operator::{choose, sources};
use super::{Binding, Selector};
use crate::Extension;
use crate::encode::Size;
use crate::instruction::Op;
use crate::machine::{MASK, Source};

/// The predicates of integer comparisons of AVX-512.
pub(super) mod predicate {
    pub const EQUAL: i32 = 0;
    pub const LESS: i32 = 1;
}

/// The lanes of half a register of 16 lanes.
const HALF_LANES: i32 = 8;

/// An operator on masks.
#[derive(Clone, Copy, Debug)]
pub(super) enum MaskOp {
    And,
    /// The second without the first.
    AndNot,
    Or,
    Xor,
}

impl Selector<'_> {
    /// Whether the function may have the instructions of AVX-512.
    pub(super) fn has_avx512(&self) -> bool {
        self.function.extension == Extension::Avx512
    }

    /// `a` in the lanes of a mask for this type, otherwise `b`.
    pub(super) fn blend(&mut self, ty: PrimType, mask: VReg, a: Source, b: VReg) -> VReg {
        if self.has_avx512() {
            return self.vector(choose(ty, Op::Vblendmps, Op::Vblendmpd), &[mask, b], a);
        }
        let a = self.in_register(a);
        self.vector(Op::Vblendvps, &[b, a], mask)
    }

    /// `a` in the lanes of a mask for this type, otherwise zero.
    pub(super) fn keep(&mut self, ty: PrimType, mask: VReg, a: Source) -> VReg {
        if self.has_avx512() {
            return self.sized(
                choose(ty, Op::VmovupsMasked, Op::VmovupdMasked),
                self.register_size(ty),
                &[mask],
                a,
            );
        }
        self.vector(Op::Vandps, &[mask], a)
    }

    /// All bits in the lanes of masks for this type, otherwise none.
    pub(super) fn expand(&mut self, ty: PrimType, masks: &[VReg]) -> Vec<VReg> {
        if !self.has_avx512() {
            return masks.to_vec();
        }
        let (op, size) = (choose(ty, Op::Vpmovm2d, Op::Vpmovm2q), self.register_size(ty));
        masks.iter().map(|&mask| self.sized(op, size, &[], mask)).collect()
    }

    /// The mask of a bool.
    pub(super) fn mask_of(&mut self, operand: Operand) -> Vec<VReg> {
        if !self.has_avx512() {
            return self.lanes_of(operand);
        }
        let scalar = match self.binding(operand) {
            Binding::Lanes(registers) => return registers,
            Binding::Constant(constant) => {
                let constant = self.constant_source(constant);
                return vec![self.function.define(Op::Kmovw, Size::X, MASK, &[], constant, 0)];
            }
            _ => self.general_of(operand),
        };
        let bits = self.function.update(Op::Neg, Size::G64, scalar, None, 0);
        vec![self.function.define(Op::KmovwFromGeneral, Size::X, MASK, &[], bits, 0)]
    }

    /// Converts a mask of the strip to one for a type.
    pub(super) fn mask_for(&mut self, mask: &[VReg], ty: PrimType) -> Vec<VReg> {
        if self.has_avx512() {
            // There are several registers only if all lanes are the same.
            return vec![mask[0]; self.registers_of(ty)];
        }
        match (self.mask_bytes, self.lane_bytes(ty)) {
            (8, 4) => self.narrow(mask),
            (4, 8) => self.widen_lanes(Op::Vpmovsxdq, mask),
            _ => mask.to_vec(),
        }
    }

    /// Converts a mask for a type to one of the strip.
    pub(super) fn mask_from(&mut self, ty: PrimType, mask: Vec<VReg>) -> Vec<VReg> {
        if self.has_avx512() {
            return vec![mask[0]];
        }
        match (self.lane_bytes(ty), self.mask_bytes) {
            (4, 8) => self.widen_lanes(Op::Vpmovsxdq, &mask),
            (8, 4) => self.narrow(&mask),
            _ => mask,
        }
    }

    /// Applies an operator to masks of the same width.
    pub(super) fn join_masks(&mut self, op: MaskOp, a: &[VReg], b: &[VReg]) -> Vec<VReg> {
        let (vector, mask) = match op {
            MaskOp::And => (Op::Vandps, Op::Kandw),
            MaskOp::AndNot => (Op::Vandnps, Op::Kandnw),
            MaskOp::Or => (Op::Vorps, Op::Korw),
            MaskOp::Xor => (Op::Vxorps, Op::Kxorw),
        };
        if !self.has_avx512() {
            return self.registers(vector, a, b);
        }
        a.iter().zip(b).map(|(&a, &b)| self.function.define(mask, Size::Y, MASK, &[a], b, 0)).collect()
    }

    /// The lanes that are false.
    pub(super) fn opposite(&mut self, mask: &[VReg]) -> Vec<VReg> {
        if !self.has_avx512() {
            return self.complement(mask);
        }
        mask.iter().map(|&mask| self.function.define(Op::Knotw, Size::X, MASK, &[], mask, 0)).collect()
    }

    /// The first mask in the lanes of a condition, otherwise the second.
    pub(super) fn select_masks(&mut self, cond: &[VReg], a: &[VReg], b: &[VReg]) -> Vec<VReg> {
        let yes = self.join_masks(MaskOp::And, cond, a);
        let no = self.join_masks(MaskOp::AndNot, cond, b);
        self.join_masks(MaskOp::Or, &yes, &no)
    }

    /// The mask of the second half of the lanes.
    pub(super) fn upper_mask(&mut self, mask: VReg) -> VReg {
        if !self.has_avx512() {
            return self.upper(Size::Y, mask);
        }
        self.function.define(Op::Kshiftrw, Size::X, MASK, &[], mask, HALF_LANES)
    }

    /// What [`Selector::test_lane`] needs of a mask.
    pub(super) fn lane_bits(&mut self, mask: &[VReg]) -> Vec<VReg> {
        if !self.has_avx512() {
            return mask.to_vec();
        }
        vec![self.function.define(Op::KmovwToGeneral, Size::X, RegClass::Int, &[], mask[0], 0)]
    }

    /// Sets the flags to `equal` if a lane of a mask for this type is false.
    pub(super) fn test_lane(&mut self, ty: PrimType, mask: &[VReg], lane: usize) {
        if self.has_avx512() {
            return self.function.perform(Op::TestImm, Size::G32, &[mask[0]], None, 1 << lane);
        }
        let takes_part = self.lane(ty, mask, lane);
        let size = if ty.bytes() == 8 { Size::G64 } else { Size::G32 };
        self.function.perform(Op::Test, size, &[takes_part, takes_part], None, 0);
    }

    /// The mask for u32 of numbers that are 0 or 1.
    pub(super) fn mask_of_bits(&mut self, bits: &[VReg]) -> Vec<VReg> {
        if self.has_avx512() {
            let size = self.register_size(PrimType::U32);
            let test = |&bits: &VReg| self.function.define(Op::VptestmdToMask, size, MASK, &[bits], bits, 0);
            return bits.iter().map(test).collect();
        }
        let zero = self.zero();
        bits.iter().map(|&bits| self.vector(Op::Vpsubd, &[zero], bits)).collect()
    }

    pub(super) fn float_compare(
        &mut self,
        ty: PrimType,
        predicate: i32,
        a: &[VReg],
        b: &[Source],
    ) -> Vec<VReg> {
        if self.has_avx512() {
            let op = choose(ty, Op::VcmppsToMask, Op::VcmppdToMask);
            return self.compare_to_masks(op, predicate, a, b);
        }
        let op = choose(ty, Op::Vcmpps, Op::Vcmppd);
        a.iter().zip(b).map(|(&a, b)| self.vector_with(op, &[a], b.clone(), predicate)).collect()
    }

    /// Whether integers are equal, in lanes as wide as they are.
    pub(super) fn equal(&mut self, ty: PrimType, a: &[VReg], b: &[VReg]) -> Vec<VReg> {
        if self.has_avx512() {
            let op = choose(ty, Op::VpcmpdToMask, Op::VpcmpqToMask);
            return self.compare_to_masks(op, predicate::EQUAL, a, &sources(b));
        }
        self.registers(choose(ty, Op::Vpcmpeqd, Op::Vpcmpeqq), a, b)
    }

    /// Whether integers are less, in lanes as wide as they are.
    pub(super) fn less(&mut self, ty: PrimType, a: &[VReg], b: &[VReg]) -> Vec<VReg> {
        if self.has_avx512() {
            let op = match ty.is_signed() {
                true => choose(ty, Op::VpcmpdToMask, Op::VpcmpqToMask),
                false => choose(ty, Op::VpcmpudToMask, Op::VpcmpuqToMask),
            };
            return self.compare_to_masks(op, predicate::LESS, a, &sources(b));
        }
        let greater = choose(ty, Op::Vpcmpgtd, Op::Vpcmpgtq);
        if ty.is_signed() {
            return self.registers(greater, b, a);
        }
        let sign = self.sign(ty);
        let (a, b) = (self.with(Op::Vxorps, a, &sign), self.with(Op::Vxorps, b, &sign));
        self.registers(greater, &b, &a)
    }

    /// Compares into mask registers.
    fn compare_to_masks(&mut self, op: Op, predicate: i32, a: &[VReg], b: &[Source]) -> Vec<VReg> {
        let compare = |(&a, b): (&VReg, &Source)| {
            let size = self.function.narrowest(&[a], b);
            self.function.define(op, size, MASK, &[a], b.clone(), predicate)
        };
        a.iter().zip(b).map(compare).collect()
    }

    /// The masked load, the masked store and the gather for lanes of this type.
    pub(super) fn masked_accesses(&self, ty: PrimType) -> [Op; 3] {
        match (self.has_avx512(), ty.bytes()) {
            (false, 8) => [Op::Vmaskmovpd, Op::VmaskmovpdStore, Op::Vgatherqpd],
            (false, _) => [Op::Vmaskmovps, Op::VmaskmovpsStore, Op::Vgatherqps],
            (true, 8) => [Op::VmovupdMasked, Op::VmovupdMaskedStore, Op::VgatherqpdMasked],
            (true, _) => [Op::VmovupsMasked, Op::VmovupsMaskedStore, Op::VgatherqpsMasked],
        }
    }

    /// Sets the flags to `not equal` if a mask is true in any lane, and to `all` if it is true in all lanes.
    pub(super) fn test_mask(&mut self, mask: VReg) {
        if self.has_avx512() {
            let test = if self.lanes == 8 { Op::Kortestb } else { Op::Kortestw };
            return self.function.perform(test, Size::X, &[mask, mask], None, 0);
        }
        let ones = self.broadcast_constant(8, u64::MAX);
        self.function.perform(Op::Vptest, Size::Y, &[mask], Some(ones), 0);
    }
}
