//! Counts of bits, by operators that vectors have: sums of neighbouring groups of bits, each twice as wide as the last
//! (Warren, "Hacker's Delight", 2nd edition, 2012, section 5-1), or the exponent of a float.

use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp, convert};

use super::Vectoriser;
use crate::form::{Exp, Operand};

impl Vectoriser<'_> {
    /// The value of an expression that counts bits.
    pub(super) fn count(&mut self, exp: Exp) -> Option<Operand> {
        let Exp::Unary(op, a) = exp else { return None };
        let ty = self.strip.ty(a);
        if ty.bits() < 32 {
            return None;
        }
        let counted = match op {
            UnOp::Popc => a,
            UnOp::Ctz if ty.bits() == 32 => return Some(self.trailing_zeros(ty, a)),
            UnOp::Ctz => {
                // The zeros below the lowest one become ones, and all other bits zeros.
                let one = bits(ty, 1);
                let below = self.push(Exp::Binary(BinOp::Sub, a, one));
                let zeros = self.push(Exp::Unary(UnOp::Not, a));
                self.push(Exp::Binary(BinOp::And, zeros, below))
            }
            UnOp::Clz => {
                // All bits below the highest one become ones.
                let mut filled = a;
                for distance in (0..ty.bits().ilog2()).map(|power| 1 << power) {
                    let lower = self.push(Exp::Binary(BinOp::Lshr, filled, bits(ty, distance)));
                    filled = self.push(Exp::Binary(BinOp::Or, filled, lower));
                }
                self.push(Exp::Unary(UnOp::Not, filled))
            }
            _ => return None,
        };
        Some(self.ones(ty, counted))
    }

    /// The number of zeros below the lowest one of an integer of 32 bits. The lowest one alone is a power of two, so its
    /// number is the exponent of the equal f32, whatever the sign.
    fn trailing_zeros(&mut self, ty: PrimType, a: Operand) -> Operand {
        let negative = self.push(Exp::Binary(BinOp::Sub, bits(ty, 0), a));
        let lowest = self.push(Exp::Binary(BinOp::And, a, negative));
        let signed = self.push(Exp::Convert(PrimType::I32, lowest));
        let float = self.push(Exp::Convert(PrimType::F32, signed));
        let float = self.push(Exp::Unary(UnOp::ToBits, float));
        let upper = self.push(Exp::Binary(BinOp::Lshr, float, bits(PrimType::U32, 23)));
        let exponent = self.push(Exp::Binary(BinOp::And, upper, bits(PrimType::U32, 0xff)));
        let exponent = self.push(Exp::Convert(PrimType::I32, exponent));
        let number = self.push(Exp::Binary(BinOp::Sub, exponent, bits(PrimType::I32, 127)));
        let is_zero = self.push(Exp::Compare(CmpOp::Eq, signed, bits(PrimType::I32, 0)));
        self.push(Exp::Select(is_zero, bits(PrimType::I32, 32), number))
    }

    /// The number of ones, as an i32.
    fn ones(&mut self, ty: PrimType, a: Operand) -> Operand {
        let mut counts = a;
        for (width, lower) in [
            (1, 0x5555_5555_5555_5555),
            (2, 0x3333_3333_3333_3333),
            (4, 0x0f0f_0f0f_0f0f_0f0f),
            (8, 0x00ff_00ff_00ff_00ff),
            (16, 0x0000_ffff_0000_ffff),
            (32, 0x0000_0000_ffff_ffff),
        ] {
            if width == ty.bits() {
                break;
            }
            let shifted = self.push(Exp::Binary(BinOp::Lshr, counts, bits(ty, width.into())));
            let [even, odd] =
                [counts, shifted].map(|part| self.push(Exp::Binary(BinOp::And, part, bits(ty, lower))));
            counts = self.push(Exp::Binary(BinOp::Add, even, odd));
        }
        self.push(Exp::Convert(PrimType::I32, counts))
    }
}

/// The constant with these bits.
fn bits(ty: PrimType, bits: i64) -> Operand {
    Operand::Const(convert(PrimValue::I64(bits), ty))
}
