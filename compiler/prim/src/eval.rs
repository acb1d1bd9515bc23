//! The evaluator of scalar operators.
//!
//! Each family of types (integers, floats, bool) is a `Scalar`, which implements the operators whose result has the
//! type of the operands. The public functions unwrap values, and compute the other operators and conversions. An
//! operator on f16 computes in f32 and rounds once. For the arithmetic operators and the square root, that gives the
//! correctly rounded result.

use half::f16;

use crate::{BinOp, CmpOp, PrimType, PrimValue, UnOp, elementary, nearest_f16};

/// Runs `$body` on the payloads of two values of one type: `$wrap` is the variant they came in.
macro_rules! same_type {
    ($a:expr, $b:expr, $wrap:ident, $x:ident, $y:ident => $body:expr) => {
        same_type!($a, $b, $wrap, $x, $y => $body; I8 I16 I32 I64 U8 U16 U32 U64 F16 F32 F64 Bool)
    };
    ($a:expr, $b:expr, $wrap:ident, $x:ident, $y:ident => $body:expr; $($variant:ident)*) => {
        match ($a, $b) {
            $((PrimValue::$variant($x), PrimValue::$variant($y)) => {
                let $wrap = PrimValue::$variant;
                $body
            })*
            _ => None,
        }
    };
}

/// `a op b`; `None` if the operation fails (integer division by zero, negative integer power), or the operands do not
/// have one type on which the operator exists.
pub fn binary(op: BinOp, a: PrimValue, b: PrimValue) -> Option<PrimValue> {
    same_type!(a, b, wrap, x, y => Scalar::binary(op, x, y).map(wrap))
}

/// `op a`; `None` if the operator does not exist on the operand's type.
pub fn unary(op: UnOp, a: PrimValue) -> Option<PrimValue> {
    use PrimValue::*;
    match (op, a) {
        (UnOp::ToBits, F16(x)) => return Some(U16(x.to_bits())),
        (UnOp::ToBits, F32(x)) => return Some(U32(x.to_bits())),
        (UnOp::ToBits, F64(x)) => return Some(U64(x.to_bits())),
        (UnOp::FromBits, U16(x)) => return Some(F16(f16::from_bits(x))),
        (UnOp::FromBits, U32(x)) => return Some(F32(f32::from_bits(x))),
        (UnOp::FromBits, U64(x)) => return Some(F64(f64::from_bits(x))),
        (UnOp::IsNan, F16(x)) => return Some(Bool(x.is_nan())),
        (UnOp::IsNan, F32(x)) => return Some(Bool(x.is_nan())),
        (UnOp::IsNan, F64(x)) => return Some(Bool(x.is_nan())),
        (UnOp::IsInf, F16(x)) => return Some(Bool(x.is_infinite())),
        (UnOp::IsInf, F32(x)) => return Some(Bool(x.is_infinite())),
        (UnOp::IsInf, F64(x)) => return Some(Bool(x.is_infinite())),
        _ => {}
    }
    if matches!(op, UnOp::Popc | UnOp::Clz | UnOp::Ctz) {
        return count_bits(op, a).map(I32);
    }
    same_type!(a, a, wrap, x, _y => Scalar::unary(op, x).map(wrap))
}

/// `a op b`; `None` when the operands differ in type.
#[allow(clippy::bool_comparison, reason = "one text for all types")]
pub fn compare(op: CmpOp, a: PrimValue, b: PrimValue) -> Option<bool> {
    same_type!(a, b, _wrap, x, y => Some(match op {
        CmpOp::Eq => x == y,
        CmpOp::Ne => x != y,
        CmpOp::Lt => x < y,
        CmpOp::Le => x <= y,
    }))
}

/// `a` as a value of type `to`.
///
/// * Integers are truncated or extended: sign-extended from a signed type to a signed one, otherwise zero-extended.
/// * To an integer type, floats are truncated, and clamped to the range of a signed type. For an unsigned type they
///   are first converted to an integer between -2^63 and 2^64 - 1, of which the low bits are kept. Infinities and NaN
///   give 0.
/// * To a float type, the result is the nearest value.
/// * To bool means `!= 0`; from bool gives 0 or 1.
pub fn convert(a: PrimValue, to: PrimType) -> PrimValue {
    macro_rules! cast {
        ($x:expr) => {{
            let x = $x;
            match to {
                PrimType::I8 => PrimValue::I8(x as i8),
                PrimType::I16 => PrimValue::I16(x as i16),
                PrimType::I32 => PrimValue::I32(x as i32),
                PrimType::I64 => PrimValue::I64(x as i64),
                PrimType::U8 => PrimValue::U8(x as u8),
                PrimType::U16 => PrimValue::U16(x as u16),
                PrimType::U32 => PrimValue::U32(x as u32),
                PrimType::U64 => PrimValue::U64(x as u64),
                // The conversion to f64 is exact up to 2^53, far beyond the largest f16, so the number is rounded
                // once.
                PrimType::F16 => PrimValue::F16(nearest_f16(x as f64)),
                PrimType::F32 => PrimValue::F32(x as f32),
                PrimType::F64 => PrimValue::F64(x as f64),
                PrimType::Bool => PrimValue::Bool(x as f64 != 0.0),
            }
        }};
    }
    match a {
        _ if a.ty() == to => a,
        _ if a.ty().is_signed() && to.is_unsigned() => PrimValue::from_bits(to, a.bits()),
        PrimValue::I8(x) => cast!(x),
        PrimValue::I16(x) => cast!(x),
        PrimValue::I32(x) => cast!(x),
        PrimValue::I64(x) => cast!(x),
        PrimValue::U8(x) => cast!(x),
        PrimValue::U16(x) => cast!(x),
        PrimValue::U32(x) => cast!(x),
        PrimValue::U64(x) => cast!(x),
        PrimValue::F16(x) => convert(PrimValue::F32(x.to_f32()), to),
        PrimValue::F32(x) if to.is_integer() => convert(PrimValue::F64(f64::from(x)), to),
        PrimValue::F32(x) => cast!(x),
        PrimValue::F64(x) if to.is_integer() && x.is_infinite() => PrimValue::zero(to),
        PrimValue::F64(x) if to.is_unsigned() => {
            let bits = if x < 0.0 { (x as i64) as u64 } else { x as u64 };
            PrimValue::from_bits(to, bits)
        }
        PrimValue::F64(x) => cast!(x),
        PrimValue::Bool(x) => cast!(u8::from(x)),
    }
}

/// The operators whose result has the type of the operands.
trait Scalar: Sized {
    fn binary(op: BinOp, a: Self, b: Self) -> Option<Self>;
    fn unary(op: UnOp, a: Self) -> Option<Self>;
}

macro_rules! integer {
    ($($ty:ident: $abs:expr, $signum:expr;)*) => {$(
        impl Scalar for $ty {
            #[allow(unused_comparisons, reason = "one text for signed and unsigned types")]
            fn binary(op: BinOp, a: $ty, b: $ty) -> Option<$ty> {
                // Whether all bits are shifted out. A negative distance of a shift does that: it is huge as u64.
                let wide = b as u64 >= u64::from($ty::BITS);
                Some(match op {
                    BinOp::Add => a.wrapping_add(b),
                    BinOp::Sub => a.wrapping_sub(b),
                    BinOp::Mul => a.wrapping_mul(b),
                    BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem if b == 0 => return None,
                    BinOp::Quot => a.wrapping_div(b),
                    BinOp::Rem => a.wrapping_rem(b),
                    BinOp::Div => {
                        let inexact = a.wrapping_rem(b) != 0 && (a < 0) != (b < 0);
                        a.wrapping_div(b) - $ty::from(inexact)
                    }
                    BinOp::Mod => {
                        let rest = a.wrapping_rem(b);
                        if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
                    }
                    BinOp::Pow if b < 0 => return None,
                    BinOp::Pow => {
                        let (mut power, mut square, mut exponent) = (1 as $ty, a, b);
                        while exponent != 0 {
                            if exponent & 1 == 1 {
                                power = power.wrapping_mul(square);
                            }
                            square = square.wrapping_mul(square);
                            exponent >>= 1;
                        }
                        power
                    }
                    BinOp::Min => a.min(b),
                    BinOp::Max => a.max(b),
                    BinOp::And => a & b,
                    BinOp::Or => a | b,
                    BinOp::Xor => a ^ b,
                    BinOp::Shl => if wide { 0 } else { a << b },
                    BinOp::Shr => match wide {
                        true if a < 0 => !0,
                        true => 0,
                        false => a >> b,
                    },
                    BinOp::Lshr if wide => 0,
                    BinOp::Lshr => {
                        let zero_filled = PrimValue::from(a).bits() >> b;
                        zero_filled as $ty
                    }
                    BinOp::Atan2 | BinOp::Hypot | BinOp::Copysign => return None,
                })
            }

            fn unary(op: UnOp, a: $ty) -> Option<$ty> {
                match op {
                    UnOp::Neg => Some(a.wrapping_neg()),
                    UnOp::Not => Some(!a),
                    UnOp::Abs => Some($abs(a)),
                    UnOp::Sgn => Some($signum(a)),
                    _ => None,
                }
            }
        }
    )*};
}

integer! {
    i8: i8::wrapping_abs, i8::signum;
    i16: i16::wrapping_abs, i16::signum;
    i32: i32::wrapping_abs, i32::signum;
    i64: i64::wrapping_abs, i64::signum;
    u8: |a| a, |a: u8| a.min(1);
    u16: |a| a, |a: u16| a.min(1);
    u32: |a| a, |a: u32| a.min(1);
    u64: |a| a, |a: u64| a.min(1);
}

macro_rules! float {
    ($($ty:ident)*) => {$(
        impl Scalar for $ty {
            fn binary(op: BinOp, a: $ty, b: $ty) -> Option<$ty> {
                Some(match op {
                    BinOp::Add => a + b,
                    BinOp::Sub => a - b,
                    BinOp::Mul => a * b,
                    BinOp::Div => a / b,
                    BinOp::Mod => a % b,
                    BinOp::Min => if b < a || a.is_nan() { b } else { a },
                    BinOp::Max => if a < b || a.is_nan() { b } else { a },
                    BinOp::Copysign => a.copysign(b),
                    BinOp::Quot | BinOp::Rem | BinOp::And | BinOp::Or | BinOp::Xor => return None,
                    BinOp::Shl | BinOp::Shr | BinOp::Lshr => return None,
                    BinOp::Pow | BinOp::Atan2 | BinOp::Hypot => return elementary::binary(op, a, b),
                })
            }

            fn unary(op: UnOp, a: $ty) -> Option<$ty> {
                Some(match op {
                    UnOp::Neg => -a,
                    UnOp::Abs => a.abs(),
                    UnOp::Sgn if a.is_nan() => a,
                    UnOp::Sgn => $ty::from(i8::from(a > 0.0) - i8::from(a < 0.0)),
                    UnOp::Sqrt => a.sqrt(),
                    UnOp::Floor => a.floor(),
                    UnOp::Ceil => a.ceil(),
                    UnOp::Trunc => a.trunc(),
                    UnOp::Round => a.round_ties_even(),
                    UnOp::Not | UnOp::Popc | UnOp::Clz | UnOp::Ctz => return None,
                    UnOp::IsNan | UnOp::IsInf | UnOp::ToBits | UnOp::FromBits => return None,
                    _ => return elementary::unary(op, a),
                })
            }
        }
    )*};
}

float!(f32 f64);

impl Scalar for f16 {
    fn binary(op: BinOp, a: f16, b: f16) -> Option<f16> {
        <f32 as Scalar>::binary(op, a.to_f32(), b.to_f32()).map(f16::from_f32)
    }

    fn unary(op: UnOp, a: f16) -> Option<f16> {
        <f32 as Scalar>::unary(op, a.to_f32()).map(f16::from_f32)
    }
}

impl Scalar for bool {
    fn binary(op: BinOp, a: bool, b: bool) -> Option<bool> {
        match op {
            BinOp::And => Some(a & b),
            BinOp::Or => Some(a | b),
            BinOp::Xor => Some(a ^ b),
            _ => None,
        }
    }

    fn unary(op: UnOp, a: bool) -> Option<bool> {
        (op == UnOp::Not).then_some(!a)
    }
}

/// Popc, Clz and Ctz. The representation is zero-extended to 64 bits.
fn count_bits(op: UnOp, a: PrimValue) -> Option<i32> {
    if !a.ty().is_integer() {
        return None;
    }
    let (bits, width) = (a.bits(), a.ty().bits());
    let count = match op {
        UnOp::Popc => bits.count_ones(),
        UnOp::Clz => bits.leading_zeros() - (u64::BITS - width),
        UnOp::Ctz => bits.trailing_zeros().min(width),
        _ => return None,
    };
    Some(count as i32)
}

#[cfg(test)]
mod tests;
