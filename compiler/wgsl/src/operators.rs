//! Scalar operators as expressions, with the semantics of the evaluator of `ravel_prim`.
//!
//! Some operators of WGSL have another meaning than in Ravel: division rounds towards zero, shifts take their distance
//! modulo the width, `min` may drop a number for a NaN. For these the expression calls a helper (see
//! [`crate::helpers`]). Helpers recognise NaN by its bits, and `!=` of floats is the negation of `==`, because a device
//! may assume that no number is NaN.
//!
//! Types of 8 and 16 bits compute in their carrier, by its operator. If the result may be out of the range of the type, it
//! is wrapped or rounded to the type.

use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};

use crate::scalar::carrier;
use crate::shader::{Exp, Infix, Type};

/// `a op b` on operands of type `ty`.
pub(crate) fn binary(op: BinOp, ty: PrimType, a: &Exp, b: &Exp) -> Exp {
    let wide = carrier(ty);
    if op == BinOp::Lshr && wide != ty {
        // A shift fills in zeros at the width of the type.
        let distance = b.clone().convert(PrimType::U32);
        let shifted = Exp::helper("lshr", PrimType::U32, PrimType::U32, [small_bits(ty, a), distance]);
        return narrow(ty, if ty.is_signed() { shifted.bitcast(PrimType::I32) } else { shifted });
    }
    if let Some(kept) = zero_sum(op, ty, a, b) {
        return kept;
    }
    let infix = |op| a.clone().infix(op, b);
    let helper = |name| Exp::helper(name, wide, wide, [a.clone(), b.clone()]);
    let value = match op {
        BinOp::Add => infix(Infix::Add),
        BinOp::Sub => infix(Infix::Sub),
        BinOp::Mul => infix(Infix::Mul),
        BinOp::And => infix(Infix::And),
        BinOp::Or => infix(Infix::Or),
        BinOp::Xor if ty == PrimType::Bool => infix(Infix::Ne),
        BinOp::Xor => infix(Infix::Xor),
        BinOp::Div if ty.is_float() => infix(Infix::Div),
        BinOp::Min if ty.is_integer() => Exp::select(b.lt(a), b, a),
        BinOp::Max if ty.is_integer() => Exp::select(a.lt(b), b, a),
        BinOp::Shr if ty.is_unsigned() => helper("lshr"),
        _ => helper(op.name()),
    };
    match op {
        BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shr => value,
        BinOp::Min | BinOp::Max | BinOp::Copysign => value,
        _ => narrow(ty, value),
    }
}

/// The translation of `x + 0`, `0 + x`, `x - -0` and `0 - x` of floats; `None` for any other operation. A device may
/// replace them by x and -x, which have the wrong sign if x is a zero.
fn zero_sum(op: BinOp, ty: PrimType, a: &Exp, b: &Exp) -> Option<Exp> {
    if !ty.is_float() {
        return None;
    }
    let wide = carrier(ty);
    let zero = Exp::literal(PrimValue::zero(wide));
    let minus_zero = Exp::literal(PrimValue::from_bits(wide, 1 << (wide.bits() - 1)));
    let kept = |x: &Exp, value: Exp| Exp::select(x.equals(&zero), &zero, value);
    match op {
        BinOp::Add if *b == zero => Some(kept(a, a.clone())),
        BinOp::Add if *a == zero => Some(kept(b, b.clone())),
        BinOp::Sub if *b == minus_zero => Some(kept(a, a.clone())),
        BinOp::Sub if *a == zero => Some(kept(b, -b.clone())),
        _ => None,
    }
}

/// `op a` on an operand of type `ty`.
pub(crate) fn unary(op: UnOp, ty: PrimType, a: &Exp) -> Exp {
    let wide = carrier(ty);
    let helper = |name, of, operand| Exp::helper(name, of, op.result(ty), [operand]);
    if wide != ty {
        match op {
            UnOp::ToBits => return helper("half_bits", wide, a.clone()),
            UnOp::FromBits => return helper("half_from_bits", wide, a.clone()),
            UnOp::Popc => return helper("popc", PrimType::U32, small_bits(ty, a)),
            UnOp::Clz => {
                let more = PrimValue::I32(32 - ty.bits() as i32);
                return helper("clz", PrimType::U32, small_bits(ty, a)) - Exp::literal(more);
            }
            UnOp::Ctz => return helper("ctz", PrimType::U32, small_bits(ty, a) | (mask(ty) + 1)),
            _ => {}
        }
    }
    let zero = Exp::literal(PrimValue::zero(wide));
    let value = match op {
        UnOp::Neg if ty.is_float() => -a.clone(),
        UnOp::Neg => zero - a,
        UnOp::Not if ty == PrimType::Bool => !a.clone(),
        UnOp::Not => a.clone().complement(),
        UnOp::Abs if ty.is_float() => Exp::call("abs", a.ty, [a.clone()]),
        UnOp::Abs if ty.is_unsigned() => a.clone(),
        UnOp::Abs => Exp::select(a.lt(&zero), &zero - a, a),
        UnOp::ToBits => a.clone().bitcast(carrier(op.result(ty))),
        UnOp::FromBits => helper(op.name(), op.result(ty), a.clone()),
        UnOp::Sqrt => Exp::call("sqrt", a.ty, [a.clone()]),
        UnOp::Floor | UnOp::Ceil | UnOp::Trunc | UnOp::Round if wide == PrimType::F32 => {
            Exp::call(op.name(), a.ty, [a.clone()])
        }
        _ => helper(op.name(), wide, a.clone()),
    };
    match op {
        UnOp::IsNan | UnOp::IsInf | UnOp::Sgn => value,
        UnOp::Floor | UnOp::Ceil | UnOp::Trunc | UnOp::Round => value,
        UnOp::Neg | UnOp::Abs if ty.is_float() => value,
        _ => narrow(ty, value),
    }
}

/// `a op b`, a bool.
pub(crate) fn compare(op: CmpOp, ty: PrimType, a: &Exp, b: &Exp) -> Exp {
    match (op, ty) {
        (CmpOp::Ne, _) if ty.is_float() => !a.equals(b),
        (CmpOp::Lt, PrimType::Bool) => (!a.clone()).and(b),
        (CmpOp::Le, PrimType::Bool) => (!a.clone()).or(b),
        (CmpOp::Eq, _) => a.equals(b),
        (CmpOp::Ne, _) => a.differs(b),
        (CmpOp::Lt, _) => a.lt(b),
        (CmpOp::Le, _) => a.le(b),
    }
}

/// `a`, of type `from`, as a value of type `to`.
pub(crate) fn convert(from: PrimType, to: PrimType, a: &Exp) -> Exp {
    let a = a.clone();
    match (carrier(from), carrier(to)) {
        _ if from == to => a,
        (PrimType::Bool, _) => Exp::select(a, Exp::bit(to, true), Exp::bit(to, false)),
        (wide, PrimType::Bool) => !a.equals(Exp::literal(PrimValue::zero(wide))),
        (PrimType::F64, _) if to == PrimType::F16 => Exp::helper("double_to_half", PrimType::F32, to, [a]),
        (PrimType::F64, _) if to.is_integer() => Exp::helper("truncate_f64", to, to, [a]),
        (PrimType::F32, _) if to.is_integer() => Exp::helper("truncate_f32", to, to, [a]),
        (wide, same) if wide == same => narrow(to, a),
        // The conversion fills in zeros at the width of the type.
        (PrimType::I32, PrimType::U32) if from.bits() < 32.min(to.bits()) => small_bits(from, &a),
        (PrimType::I32, PrimType::U64) if from.bits() < 32 => small_bits(from, &a).convert(PrimType::U64),
        (PrimType::I32, PrimType::U64) => a.convert(PrimType::U32).convert(PrimType::U64),
        // The width must change before the signedness.
        (PrimType::I64, PrimType::U32) => narrow(to, a.convert(PrimType::U64).convert(PrimType::U32)),
        (PrimType::U64, PrimType::I32) => narrow(to, a.convert(PrimType::I64).convert(PrimType::I32)),
        (PrimType::U32, PrimType::I64) => a.convert(PrimType::U64).convert(PrimType::I64),
        _ => narrow(to, a.convert(to)),
    }
}

/// A call that reports argument number `at` of a failed assertion.
pub(crate) fn report(ty: PrimType, at: usize, value: Exp) -> Exp {
    let (ty, value) = match ty {
        PrimType::F16 => (PrimType::U32, Exp::helper("half_bits", PrimType::F32, PrimType::U32, [value])),
        _ => (carrier(ty), value),
    };
    Exp { ty: Type::Nothing, ..Exp::helper("report", ty, ty, [Exp::from(at as u32), value]) }
}

/// Converts a value of the carrier to type `ty`: wrapped, or rounded to the nearest.
fn narrow(ty: PrimType, value: Exp) -> Exp {
    match ty {
        PrimType::I8 | PrimType::I16 => {
            Exp::call("extractBits", value.ty, [value, 0.into(), ty.bits().into()])
        }
        PrimType::U8 | PrimType::U16 => value & mask(ty),
        PrimType::F16 => Exp::helper("round_to_half", PrimType::F32, PrimType::F32, [value]),
        _ => value,
    }
}

/// The bits of a value of a type of 8 or 16 bits, as a u32.
fn small_bits(ty: PrimType, a: &Exp) -> Exp {
    if ty.is_signed() { a.clone().bitcast(PrimType::U32) & mask(ty) } else { a.clone() }
}

/// A word with ones in the low bits, as many as the type has bits.
fn mask(ty: PrimType) -> u32 {
    (1 << ty.bits()) - 1
}
