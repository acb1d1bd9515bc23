//! Masks, with and without mask registers.
//!
//! A mask is a vector with all bits set in the lanes that are true, and none in the others. AVX2 compares into such
//! vectors, and its masked instructions take them. AVX-512 compares into mask registers, and its masked instructions take
//! those. There, an instruction after each comparison makes the vector, and one before each masked access makes a mask
//! register again.

use ravel_prim::PrimType;
use regalloc2::VReg;

use super::Selector;
use super::operator::{choose, sources};
use crate::Extension;
use crate::encode::Size;
use crate::instruction::Op;
use crate::machine::{MASK, Source};

/// The predicates of integer comparisons of AVX-512.
mod predicate {
    pub const EQUAL: i32 = 0;
    pub const LESS: i32 = 1;
}

impl Selector<'_> {
    /// Whether the function may have the instructions of AVX-512.
    pub(super) fn has_avx512(&self) -> bool {
        self.function.extension == Extension::Avx512
    }

    /// `a` in the lanes of a mask as wide as `a`, otherwise `b`.
    pub(super) fn blend(&mut self, mask: VReg, a: Source, b: VReg) -> VReg {
        if self.has_avx512() {
            return self.function.choose_bits(mask, a, b);
        }
        let a = self.in_register(a);
        self.vector(Op::Vblendvps, &[b, a], mask)
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
            return self.compare_to_masks(ty, op, predicate, a, b);
        }
        let op = choose(ty, Op::Vcmpps, Op::Vcmppd);
        a.iter().zip(b).map(|(&a, b)| self.vector_with(op, &[a], b.clone(), predicate)).collect()
    }

    /// Whether integers are equal, in lanes as wide as they are.
    pub(super) fn equal(&mut self, ty: PrimType, a: &[VReg], b: &[VReg]) -> Vec<VReg> {
        if self.has_avx512() {
            let op = choose(ty, Op::VpcmpdToMask, Op::VpcmpqToMask);
            return self.compare_to_masks(ty, op, predicate::EQUAL, a, &sources(b));
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
            return self.compare_to_masks(ty, op, predicate::LESS, a, &sources(b));
        }
        let greater = choose(ty, Op::Vpcmpgtd, Op::Vpcmpgtq);
        if ty.is_signed() {
            return self.registers(greater, b, a);
        }
        let sign = self.sign(ty);
        let (a, b) = (self.with(Op::Vxorps, a, &sign), self.with(Op::Vxorps, b, &sign));
        self.registers(greater, &b, &a)
    }

    /// Compares into mask registers, and makes vectors from them.
    fn compare_to_masks(
        &mut self,
        ty: PrimType,
        op: Op,
        predicate: i32,
        a: &[VReg],
        b: &[Source],
    ) -> Vec<VReg> {
        let expand = choose(ty, Op::Vpmovm2d, Op::Vpmovm2q);
        let mut vectors = Vec::new();
        for (&a, b) in a.iter().zip(b) {
            let mask = self.function.define(op, Size::Y, MASK, &[a], b.clone(), predicate);
            vectors.push(self.vector(expand, &[], mask));
        }
        vectors
    }

    /// The mask as the operand of a masked access to lanes of this type.
    pub(super) fn access_mask(&mut self, ty: PrimType, mask: VReg) -> VReg {
        if !self.has_avx512() {
            return mask;
        }
        let op = choose(ty, Op::Vpmovd2m, Op::Vpmovq2m);
        self.function.define(op, Size::Y, MASK, &[], mask, 0)
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
            let mask = self.access_mask(PrimType::U32, mask);
            return self.function.perform(Op::Kortestb, Size::X, &[mask, mask], None, 0);
        }
        let ones = self.broadcast_constant(8, u64::MAX);
        self.function.perform(Op::Vptest, Size::Y, &[mask], Some(ones), 0);
    }
}
