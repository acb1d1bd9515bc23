//! Conversions between types of lanes, and between widths of masks.

use ravel_prim::{CmpOp, PrimType, PrimValue};
use ravel_vector::{Operand, Refusal};
use regalloc2::{RegClass, VReg};

use super::Selector;
use super::operator::sources;
use crate::encode::Size;
use crate::instruction::Op;

/// 2^52: a float whose fraction counts ones.
const ONES: u64 = 0x4330_0000_0000_0000;
/// The last bits of an integer of 64 bits, which f64 may be unable to hold.
const LOST: u64 = (1 << 11) - 1;
/// 2^84: a float whose fraction counts multiples of 2^32.
const UPPER: u64 = 0x4530_0000_0000_0000;

impl Selector<'_> {
    /// The registers of a converted operand.
    pub(super) fn convert(&mut self, to: PrimType, operand: Operand) -> Result<Vec<VReg>, Refusal> {
        use PrimType::{Bool, F32, F64, I32, I64, U32, U64};
        let from = self.strip.ty(operand);
        if to == Bool && from != Bool {
            return Ok(self.compare(CmpOp::Ne, operand, Operand::Const(PrimValue::zero(from))));
        }
        if from == Bool {
            let mask = self.mask_of(operand);
            if to == Bool {
                return Ok(mask);
            }
            let mask = self.mask_for(&mask, to);
            let one = self.constant_source(ravel_prim::convert(PrimValue::I64(1), to));
            return Ok(mask.into_iter().map(|mask| self.keep(to, mask, one.clone())).collect());
        }
        let a = self.lanes_of(operand);
        Ok(match (from, to) {
            _ if from == to => a,
            (F32, F64) => self.widen_lanes(Op::Vcvtps2pd, &a),
            (I32, F64) => self.widen_lanes(Op::Vcvtdq2pd, &a),
            (I32, F32) => self.each(Op::Vcvtdq2ps, &a, 0),
            (F64, F32) => self.narrow_lanes(Op::Vcvtpd2ps, &a),
            (F64, I32) => {
                let finite = self.finite(F64, &a);
                let largest = self.float(F64, f64::from(i32::MAX));
                let clamped: Vec<VReg> =
                    finite.iter().map(|&a| self.vector(Op::Vminpd, &[a], largest.clone())).collect();
                self.narrow_lanes(Op::Vcvttpd2dq, &clamped)
            }
            (F32, I32) => {
                let finite = self.finite(F32, &a);
                let truncated = self.each(Op::Vcvttps2dq, &finite, 0);
                self.saturated(F32, &finite, &truncated)
            }
            (F64, I64) => {
                let finite = self.finite(F64, &a);
                let truncated: Vec<VReg> = finite.iter().map(|&a| self.truncate_wide(a)).collect();
                self.saturated(F64, &finite, &truncated)
            }
            (F32, I64) => {
                let wide = self.widen_lanes(Op::Vcvtps2pd, &a);
                let finite = self.finite(F64, &wide);
                let truncated: Vec<VReg> = finite.iter().map(|&a| self.truncate_wide(a)).collect();
                self.saturated(F64, &finite, &truncated)
            }
            (I64, F64) => self.wide_to_float(&a, 1 << 63),
            (U64, F64) => self.wide_to_float(&a, 0),
            (U32, F64) => {
                let wide = self.widen_lanes(Op::Vpmovzxdq, &a);
                self.wide_to_float(&wide, 0)
            }
            (U32, F32) => {
                let wide = self.widen_lanes(Op::Vpmovzxdq, &a);
                let exact = self.wide_to_float(&wide, 0);
                self.narrow_lanes(Op::Vcvtpd2ps, &exact)
            }
            (I64 | U64, F32) => {
                let odd = self.rounded_to_odd(from, &a);
                let exact = self.wide_to_float(&odd, if from == I64 { 1 << 63 } else { 0 });
                self.narrow_lanes(Op::Vcvtpd2ps, &exact)
            }
            (I32 | U32, I64 | U64) => {
                let signed = from.is_signed() && to.is_signed();
                self.widen_lanes(if signed { Op::Vpmovsxdq } else { Op::Vpmovzxdq }, &a)
            }
            (I64 | U64, I32 | U32) => self.narrow(&a),
            (I32 | U32, I32 | U32) | (I64 | U64, I64 | U64) => a,
            _ => return Err(Refusal::Conversion(from, to)),
        })
    }

    /// Applies an instruction that doubles the width of lanes, to 64 bits. Its registers are of the largest size.
    pub(super) fn widen_lanes(&mut self, op: Op, a: &[VReg]) -> Vec<VReg> {
        let size = self.largest();
        let has_halves = a.len() < self.registers_of(PrimType::I64);
        let mut wide = Vec::new();
        for &a in a {
            wide.push(self.sized(op, size, &[], a));
            if has_halves {
                let upper = self.upper(size, a);
                wide.push(self.sized(op, size, &[], upper));
            }
        }
        wide
    }

    /// The upper half of a register of this size.
    pub(super) fn upper(&mut self, size: Size, a: VReg) -> VReg {
        let op = if size == Size::Z { Op::Vextractf64x4 } else { Op::Vextractf128 };
        self.function.define_resized(op, (size, size.half()), RegClass::Float, &[], a, 1)
    }

    /// A part of a register, of 128 bits.
    pub(super) fn part(&mut self, a: VReg, number: usize) -> VReg {
        let sizes = (self.function.size(a), Size::X);
        match number {
            0 => a,
            _ => {
                let number = number as i32;
                self.function.define_resized(Op::Vextractf128, sizes, RegClass::Float, &[], a, number)
            }
        }
    }

    /// A register of the largest size from two halves.
    pub(super) fn join(&mut self, low: VReg, high: VReg) -> VReg {
        let size = self.largest();
        let op = if size == Size::Z { Op::Vinsertf64x4 } else { Op::Vinsertf128 };
        self.function.define(op, size, RegClass::Float, &[low], high, 1)
    }

    /// Applies an instruction that halves the width of lanes, which are of 64 bits in registers of the largest size.
    fn narrow_lanes(&mut self, op: Op, a: &[VReg]) -> Vec<VReg> {
        let size = self.largest();
        let narrow = |this: &mut Self, a: VReg| {
            this.function.define_resized(op, (size, size.half()), RegClass::Float, &[], a, 0)
        };
        let halves: Vec<VReg> = a.iter().map(|&a| narrow(self, a)).collect();
        if halves.len() == self.registers_of(PrimType::I32) {
            return halves;
        }
        halves.chunks(2).map(|pair| self.join(pair[0], pair[1])).collect()
    }

    /// The low halves of lanes of 64 bits.
    pub(super) fn narrow(&mut self, a: &[VReg]) -> Vec<VReg> {
        if self.has_avx512() {
            return self.narrow_lanes(Op::Vpmovqd, a);
        }
        let mut narrow = Vec::new();
        for pair in a.chunks(2) {
            let words = self.vector_with(Op::Vshufps, &[pair[0]], pair[1], 0x88);
            // The halves of the two registers alternate.
            narrow.push(self.vector_with(Op::Vpermq, &[], words, 0xd8));
        }
        narrow
    }

    /// Zero instead of infinities and NaN.
    fn finite(&mut self, ty: PrimType, a: &[VReg]) -> Vec<VReg> {
        let magnitude = self.magnitude(ty, a);
        let infinity = self.float(ty, f64::INFINITY);
        let infinities = vec![infinity; a.len()];
        let less = 0x11;
        let finite = self.float_compare(ty, less, &magnitude, &infinities);
        a.iter().zip(finite).map(|(&a, finite)| self.keep(ty, finite, a.into())).collect()
    }

    /// Truncated numbers, with the largest integer for those that exceed it. The instructions give the least integer
    /// for all that do not fit.
    fn saturated(&mut self, ty: PrimType, a: &[VReg], truncated: &[VReg]) -> Vec<VReg> {
        let limit = self.float(ty, (8.0 * ty.bytes() as f64 - 1.0).exp2());
        let greater_or_equal = 0x1d;
        let too_large = self.float_compare(ty, greater_or_equal, a, &vec![limit; a.len()]);
        let too_large = self.expand(ty, &too_large);
        self.pairs(Op::Vxorps, truncated, &sources(&too_large))
    }

    /// A register of f64 as i64; one by one without AVX-512.
    fn truncate_wide(&mut self, a: VReg) -> VReg {
        if self.has_avx512() {
            return self.vector(Op::Vcvttpd2qq, &[], a);
        }
        let high = self.upper(Size::Y, a);
        let halves = [a, high].map(|half| {
            let second = self.xmm(Op::Vunpckhpd, &[half], half, 0);
            let [first, second] = [half, second].map(|number| {
                self.function.define(Op::Vcvttsd2siToGeneral, Size::X, RegClass::Int, &[], number, 0)
            });
            let low = self.xmm(Op::VmovqFromGeneral, &[], first, 0);
            self.xmm(Op::VpinsrqFromGeneral, &[low], second, 1)
        });
        self.join(halves[0], halves[1])
    }

    /// Integers that f64 holds and that round to the same f32: those that exceed 53 bits lose their last bits, of which one
    /// remains if any was set. So no number becomes one halfway between two f32.
    fn rounded_to_odd(&mut self, ty: PrimType, a: &[VReg]) -> Vec<VReg> {
        let lost = self.broadcast_constant(8, LOST);
        let kept = self.broadcast_constant(8, !LOST);
        let zero = self.zero();
        // The range of numbers of 53 bits begins at -2^53, if there are signs.
        let (before, bits) = if ty.is_signed() { (1 << 53, 54) } else { (0, 53) };
        let before = self.broadcast_constant(8, before);
        let odd = |this: &mut Self, a: VReg| {
            let last = this.vector(Op::Vandps, &[a], lost.clone());
            let carry = this.vector(Op::Vpaddq, &[last], lost.clone());
            let set = this.vector(Op::Vorps, &[carry], a);
            let large = this.vector(Op::Vandps, &[set], kept.clone());
            let raised = this.vector(Op::Vpaddq, &[a], before.clone());
            let rest = this.vector_with(Op::VpsrlqImm, &[], raised, bits);
            let fits = this.equal(PrimType::I64, &[rest], &[zero])[0];
            this.blend(PrimType::I64, fits, a.into(), large)
        };
        a.iter().map(|&a| odd(self, a)).collect()
    }

    /// Integers as f64: the halves of their bits, each in the fraction of a float. Only the last sum rounds. `flipped` is
    /// the sign bit if they are signed, which makes it count upwards.
    pub(super) fn wide_to_float(&mut self, a: &[VReg], flipped: u64) -> Vec<VReg> {
        if self.has_avx512() {
            return self.each(if flipped == 0 { Op::Vcvtuqq2pd } else { Op::Vcvtqq2pd }, a, 0);
        }
        let ones = self.broadcast_constant(8, ONES);
        let upper = self.broadcast_constant(8, UPPER ^ flipped >> 32);
        let sign = if flipped == 0 { 0.0 } else { 63_f64.exp2() };
        let excess = self.float(PrimType::F64, 84_f64.exp2() + sign + 52_f64.exp2());
        let number = |this: &mut Self, a: VReg| {
            let ones = this.in_register(ones.clone());
            let low = this.vector_with(Op::Vpblendd, &[ones], a, 0x55);
            let high = this.vector_with(Op::VpsrlqImm, &[], a, 32);
            let high = this.vector(Op::Vxorps, &[high], upper.clone());
            let high = this.vector(Op::Vsubpd, &[high], excess.clone());
            this.vector(Op::Vaddpd, &[high], low)
        };
        a.iter().map(|&a| number(self, a)).collect()
    }
}
