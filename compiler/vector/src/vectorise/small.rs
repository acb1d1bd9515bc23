//! Small integers: lanes compute with integers of 32 bits instead, which hold the same numbers.
//!
//! Each result that may leave the range of its type is wrapped. Memory holds the small type: a load extends an element, and
//! a store drops the upper bits.

use ravel_prim::{BinOp, PrimType, PrimValue, UnOp};

use super::Vectoriser;
use crate::form::{Exp, Operand};
use crate::refusal::Refusal;

/// The type of the lanes that hold a type.
pub fn lane_type(ty: PrimType) -> PrimType {
    match ty {
        PrimType::I8 | PrimType::I16 => PrimType::I32,
        PrimType::U8 | PrimType::U16 => PrimType::U32,
        _ => ty,
    }
}

/// The operand for a constant.
pub(super) fn constant(constant: PrimValue) -> Operand {
    Operand::Const(ravel_prim::convert(constant, lane_type(constant.ty())))
}

fn is_small(ty: PrimType) -> bool {
    lane_type(ty) != ty
}

impl Vectoriser<'_> {
    /// An expression whose first operand and result have these types, with operands in lanes. Small integers become
    /// integers of 32 bits.
    pub(super) fn widen(&mut self, exp: Exp, from: PrimType, to: PrimType) -> Result<Exp, Refusal> {
        if !is_small(from) && !is_small(to) {
            return Ok(exp);
        }
        Ok(match exp {
            Exp::Convert(_, a) => {
                let a = if from.is_signed() && to.is_unsigned() && is_small(from) {
                    self.low_bits(a, from)
                } else {
                    a
                };
                match to {
                    _ if !is_small(to) => Exp::Convert(to, a),
                    _ if from.is_float() => return Err(Refusal::Conversion(from, to)),
                    _ => {
                        let wide = self.push(Exp::Convert(lane_type(to), a));
                        self.wrap(wide, to)
                    }
                }
            }
            Exp::Unary(UnOp::Popc | UnOp::Clz | UnOp::Ctz | UnOp::ToBits | UnOp::FromBits, _) => {
                return Err(Refusal::Type(if is_small(from) { from } else { to }));
            }
            Exp::Unary(UnOp::Neg | UnOp::Not | UnOp::Abs, _) => {
                let wide = self.push(exp);
                self.wrap(wide, to)
            }
            Exp::Binary(BinOp::Lshr, a, b) if from.is_signed() => {
                let low = self.low_bits(a, from);
                let wide = self.push(Exp::Binary(BinOp::Lshr, low, b));
                self.wrap(wide, to)
            }
            Exp::Binary(
                BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Quot | BinOp::Pow | BinOp::Shl,
                ..,
            ) => {
                let wide = self.push(exp);
                self.wrap(wide, to)
            }
            // The result is in the range of the type.
            Exp::Unary(..) | Exp::Binary(..) | Exp::Compare(..) | Exp::Select(..) => exp,
            Exp::Ramp { .. }
            | Exp::Any(_)
            | Exp::Most(_)
            | Exp::Prefix(..)
            | Exp::Last(_)
            | Exp::Param(..) => {
                unreachable!("no small operands")
            }
        })
    }

    /// The number of this small type that has the low bits of an integer of 32 bits.
    fn wrap(&mut self, wide: Operand, ty: PrimType) -> Exp {
        if ty.is_unsigned() {
            return Exp::Binary(BinOp::And, wide, mask(ty));
        }
        let distance = Operand::Const(PrimValue::I32(32 - ty.bits() as i32));
        let high = self.push(Exp::Binary(BinOp::Shl, wide, distance));
        Exp::Binary(BinOp::Shr, high, distance)
    }

    /// The bits of a small integer, as an integer that is not negative.
    fn low_bits(&mut self, wide: Operand, ty: PrimType) -> Operand {
        self.push(Exp::Binary(BinOp::And, wide, mask(ty)))
    }
}

/// The bits of a small type, in its lanes.
fn mask(ty: PrimType) -> Operand {
    Operand::Const(ravel_prim::convert(PrimValue::I64((1 << ty.bits()) - 1), lane_type(ty)))
}
