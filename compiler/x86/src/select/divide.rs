//! Division of integers, for which there is no vector instruction: a division of floats, and corrections.
//!
//! Quotients of 32 bits are those of f64, truncated. If the quotient of two numbers below 2^32 is not an integer, it differs
//! from the next integer by at least 2^-32 of its value. That is far more than the rounding error of f64.
//!
//! Quotients of 64 bits take two steps ([`Selector::wide_quotient`]). That of the rounded numbers differs from the
//! exact one by at most 2^-51 of its value. The rest, which is the dividend minus the product of that quotient and the
//! divisor, is divided again.
//!
//! A lane that takes no part may divide by zero. It gets any number, since no instruction traps.

use ravel_prim::{BinOp, PrimType};
use regalloc2::VReg;

use super::Selector;
use super::operator::{choose, sources};
use crate::instruction::Op;

/// An integer of at most 51 bits and its sign, added to this, is the low half of the bits of the sum.
const SHIFT: f64 = 1.5 * (1_u64 << 52) as f64;

/// Rounds towards zero without a flag.
const TRUNCATE: i32 = 11;

/// Quotient and remainder.
type Quotient = (Vec<VReg>, Vec<VReg>);

impl Selector<'_> {
    /// The quotient or the remainder of integers of 32 or 64 bits.
    pub(super) fn division(&mut self, op: BinOp, ty: PrimType, a: &[VReg], b: &[VReg]) -> Vec<VReg> {
        let (quotient, remainder) = match ty {
            _ if ty.bytes() == 4 => self.short_quotient(ty, a, b),
            PrimType::U64 => self.unsigned_quotient(a, b),
            _ => self.signed_quotient(a, b),
        };
        let floor = matches!(op, BinOp::Div | BinOp::Mod) && ty.is_signed();
        let wants_quotient = matches!(op, BinOp::Div | BinOp::Quot);
        match (floor, wants_quotient) {
            (false, true) => quotient,
            (false, false) => remainder,
            (true, _) => {
                // One less if the remainder is not zero and has not the sign of the divisor.
                let zeros = vec![self.zero(); a.len()];
                let exact = self.equal(ty, &remainder, &zeros);
                let signs = self.registers(Op::Vxorps, &remainder, b);
                let signs = self.sign_masks(ty, &signs);
                let exact = self.expand(ty, &exact);
                let less = self.registers(Op::Vandnps, &exact, &signs);
                let add = choose(ty, Op::Vpaddd, Op::Vpaddq);
                if wants_quotient {
                    return self.registers(add, &quotient, &less);
                }
                let divisor = self.registers(Op::Vandps, b, &less);
                self.registers(add, &remainder, &divisor)
            }
        }
    }

    /// Divides integers of 32 bits, rounding towards zero. The least integer divided by -1 wraps around, since only the low
    /// bits of the quotient are kept.
    fn short_quotient(&mut self, ty: PrimType, a: &[VReg], b: &[VReg]) -> Quotient {
        let (dividend, divisor) = (self.short_to_float(ty, a), self.short_to_float(ty, b));
        let quotient = self.truncated_quotient(&dividend, &divisor);
        let shift = self.float(PrimType::F64, SHIFT);
        let quotient = self.with(Op::Vaddpd, &quotient, &shift);
        let quotient = self.narrow(&quotient);
        let product = self.registers(Op::Vpmulld, &quotient, b);
        let remainder = self.registers(Op::Vpsubd, a, &product);
        (quotient, remainder)
    }

    fn short_to_float(&mut self, ty: PrimType, a: &[VReg]) -> Vec<VReg> {
        if ty.is_signed() {
            return self.widen_lanes(Op::Vcvtdq2pd, a);
        }
        let wide = self.widen_lanes(Op::Vpmovzxdq, a);
        self.wide_to_float(&wide, 0)
    }

    /// Divides signed integers of 64 bits, rounding towards zero: divides their magnitudes. The quotient is negative if one
    /// operand is, and the remainder has the sign of the dividend.
    fn signed_quotient(&mut self, a: &[VReg], b: &[VReg]) -> Quotient {
        let (a_signs, b_signs) = (self.sign_masks(PrimType::I64, a), self.sign_masks(PrimType::I64, b));
        let (a, b) = (self.negated_where(&a_signs, a), self.negated_where(&b_signs, b));
        let (quotient, remainder) = self.wide_quotient(&a, &b);
        let signs = self.registers(Op::Vxorps, &a_signs, &b_signs);
        (self.negated_where(&signs, &quotient), self.negated_where(&a_signs, &remainder))
    }

    /// Divides unsigned integers of 64 bits. The dividend is halved first, so that it has at most 63 bits.
    fn unsigned_quotient(&mut self, a: &[VReg], b: &[VReg]) -> Quotient {
        let half = self.each(Op::VpsrlqImm, a, 1);
        let (quotient, _) = self.wide_quotient(&half, b);
        let quotient = self.each(Op::VpsllqImm, &quotient, 1);
        let product = self.wide_product(&quotient, &sources(b));
        let remainder = self.registers(Op::Vpsubq, a, &product);
        // The remainder may contain the divisor once more.
        let less = self.less(PrimType::U64, &remainder, b);
        let more = self.opposite(&less);
        let more = self.expand(PrimType::U64, &more);
        let divisor = self.registers(Op::Vandps, b, &more);
        (self.registers(Op::Vpsubq, &quotient, &more), self.registers(Op::Vpsubq, &remainder, &divisor))
    }

    /// The quotient of a dividend of at most 2^63 and a divisor of 64 bits.
    ///
    /// The rest after the first quotient is at least -2^12 and less than the divisor plus 2^12. It fits in 64 signed bits,
    /// also if the divisor is near 2^64: then the first quotient is 0 or 1, and either right or too large by one. If the
    /// divisor is below 2^12, f64 holds the rest exactly, so the second quotient is right. If it is larger, the rest
    /// contains it at most once, and the second quotient finds that. So only a negative rest needs a correction.
    fn wide_quotient(&mut self, a: &[VReg], b: &[VReg]) -> Quotient {
        let (dividend, divisor) = (self.wide_to_float(a, 0), self.wide_to_float(b, 0));
        let quotient = self.truncated_quotient(&dividend, &divisor);
        let quotient = self.wide_from_float(&quotient);
        let product = self.wide_product(&quotient, &sources(b));
        let rest = self.registers(Op::Vpsubq, a, &product);

        let dividend = self.wide_to_float(&rest, 1 << 63);
        let correction = self.truncated_quotient(&dividend, &divisor);
        let shift = self.float(PrimType::F64, SHIFT);
        let correction = self.with(Op::Vaddpd, &correction, &shift);
        let correction = self.with(Op::Vpsubq, &correction, &shift);
        let quotient = self.registers(Op::Vpaddq, &quotient, &correction);
        let product = self.wide_product(&correction, &sources(b));
        let rest = self.registers(Op::Vpsubq, &rest, &product);

        let negative = self.sign_masks(PrimType::I64, &rest);
        let divisor = self.registers(Op::Vandps, b, &negative);
        (self.registers(Op::Vpaddq, &quotient, &negative), self.registers(Op::Vpaddq, &rest, &divisor))
    }

    fn truncated_quotient(&mut self, a: &[VReg], b: &[VReg]) -> Vec<VReg> {
        let quotient = self.registers(Op::Vdivpd, a, b);
        self.each(Op::Vroundpd, &quotient, TRUNCATE)
    }

    /// The bits of f64 that are integers from 0 to 2^64: the halves of 32 bits, each from the fraction of a float.
    fn wide_from_float(&mut self, a: &[VReg]) -> Vec<VReg> {
        let [down, up, ones] = [-32.0, 32.0, 52.0].map(|power: f64| self.float(PrimType::F64, power.exp2()));
        let high = self.with(Op::Vmulpd, a, &down);
        let high = self.each(Op::Vroundpd, &high, TRUNCATE);
        let product = self.with(Op::Vmulpd, &high, &up);
        let low = self.registers(Op::Vsubpd, a, &product);
        let [high, low] = [high, low].map(|half| {
            let half = self.with(Op::Vaddpd, &half, &ones);
            self.with(Op::Vxorps, &half, &ones)
        });
        let high = self.each(Op::VpsllqImm, &high, 32);
        self.registers(Op::Vpaddq, &high, &low)
    }

    /// Negates integers of 64 bits in the lanes whose mask is set.
    fn negated_where(&mut self, lanes: &[VReg], a: &[VReg]) -> Vec<VReg> {
        let flipped = self.registers(Op::Vxorps, a, lanes);
        self.registers(Op::Vpsubq, &flipped, lanes)
    }
}
