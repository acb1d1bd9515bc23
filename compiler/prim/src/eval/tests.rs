use half::f16;

use super::{binary, compare, convert, unary};
use crate::PrimValue::{self, *};
use crate::{BinOp, CmpOp, PrimType, UnOp};

fn check(op: BinOp, a: impl Into<PrimValue>, b: impl Into<PrimValue>, result: impl Into<PrimValue>) {
    let (a, b) = (a.into(), b.into());
    assert_eq!(binary(op, a, b), Some(result.into()), "{} {a} {b}", op.name());
}

/// One, or true.
fn one(ty: PrimType) -> PrimValue {
    convert(Bool(true), ty)
}

#[test]
fn operators_exist_on_the_types_of_the_table() {
    for ty in PrimType::ALL {
        for &op in BinOp::ALL {
            let result = binary(op, one(ty), one(ty));
            assert_eq!(result.map(PrimValue::ty), op.takes(ty).then_some(ty), "{} {ty}", op.name());
        }
        for &op in UnOp::ALL {
            let result = unary(op, one(ty)).map(PrimValue::ty);
            assert_eq!(result, op.takes(ty).then(|| op.result(ty)), "{} {ty}", op.name());
        }
        for &op in CmpOp::ALL {
            let equal_counts = matches!(op, CmpOp::Eq | CmpOp::Le);
            assert_eq!(compare(op, one(ty), one(ty)), Some(equal_counts), "{} {ty}", op.name());
        }
    }
}

#[test]
fn operands_of_different_types_give_no_result() {
    assert_eq!(binary(BinOp::Add, I32(1), I64(1)), None);
    assert_eq!(compare(CmpOp::Eq, F32(1.0), F64(1.0)), None);
}

#[test]
fn integer_arithmetic_wraps() {
    check(BinOp::Add, i8::MAX, 1i8, i8::MIN);
    check(BinOp::Sub, 0u32, 1u32, u32::MAX);
    check(BinOp::Mul, i64::MAX, 2i64, -2i64);
    check(BinOp::Pow, 3i32, 40i32, 3i32.wrapping_pow(40));
    check(BinOp::Pow, 2u8, 255u8, 0u8);
    check(BinOp::Pow, -1i64, i64::MAX, -1i64);
    check(BinOp::Pow, 0i16, 0i16, 1i16);
    assert_eq!(unary(UnOp::Neg, I16(i16::MIN)), Some(I16(i16::MIN)));
    assert_eq!(unary(UnOp::Neg, U8(1)), Some(U8(255)));
    assert_eq!(unary(UnOp::Abs, I32(i32::MIN)), Some(I32(i32::MIN)));
}

#[test]
fn division_floors_and_quotient_truncates() {
    for (a, b, div, modulo, quot, rem) in
        [(7, 2, 3, 1, 3, 1), (-7, 2, -4, 1, -3, -1), (7, -2, -4, -1, -3, 1), (-7, -2, 3, -1, 3, -1)]
    {
        check(BinOp::Div, a, b, div);
        check(BinOp::Mod, a, b, modulo);
        check(BinOp::Quot, a, b, quot);
        check(BinOp::Rem, a, b, rem);
    }
    check(BinOp::Div, i32::MIN, -1i32, i32::MIN);
    check(BinOp::Mod, i32::MIN, -1i32, 0i32);
    check(BinOp::Quot, i8::MIN, -1i8, i8::MIN);
    check(BinOp::Div, i64::MIN, i64::MAX, -2i64);
    check(BinOp::Mod, i64::MIN, i64::MAX, i64::MAX - 1);
    check(BinOp::Div, u64::MAX, 2u64, u64::MAX / 2);
}

#[test]
fn integer_division_by_zero_and_negative_powers_fail() {
    for op in [BinOp::Div, BinOp::Mod, BinOp::Quot, BinOp::Rem] {
        assert_eq!(binary(op, I64(1), I64(0)), None);
        assert_eq!(binary(op, U8(1), U8(0)), None);
    }
    assert_eq!(binary(BinOp::Pow, I32(2), I32(-1)), None);
    check(BinOp::Div, 1.0, 0.0, f64::INFINITY);
}

#[test]
fn shifts_by_the_width_or_more_lose_all_bits() {
    check(BinOp::Shl, 1i32, 31i32, i32::MIN);
    check(BinOp::Shl, 1i32, 32i32, 0i32);
    check(BinOp::Shl, 1i32, -1i32, 0i32);
    check(BinOp::Shr, -8i8, 1i8, -4i8);
    check(BinOp::Shr, -8i8, 8i8, -1i8);
    check(BinOp::Shr, 8i8, 100i8, 0i8);
    check(BinOp::Shr, 0x80u8, 7u8, 1u8);
    check(BinOp::Shr, 0x80u8, 8u8, 0u8);
    check(BinOp::Lshr, -1i8, 7i8, 1i8);
    check(BinOp::Lshr, -1i64, 1i64, i64::MAX);
    check(BinOp::Lshr, -1i64, 64i64, 0i64);
}

#[test]
fn bits_are_counted_in_the_width_of_the_type() {
    for (value, popc, clz, ctz) in [(I8(0), 0, 8, 8), (I8(-1), 8, 0, 0), (U16(0x10), 1, 11, 4)] {
        assert_eq!(unary(UnOp::Popc, value), Some(I32(popc)));
        assert_eq!(unary(UnOp::Clz, value), Some(I32(clz)));
        assert_eq!(unary(UnOp::Ctz, value), Some(I32(ctz)));
    }
    assert_eq!(unary(UnOp::Ctz, I64(0)), Some(I32(64)));
}

#[test]
fn minimum_and_maximum_prefer_numbers() {
    check(BinOp::Min, f64::NAN, 1.0, 1.0);
    check(BinOp::Max, 1.0f32, f32::NAN, 1.0f32);
    check(BinOp::Min, f16::NAN, f16::ONE, f16::ONE);
    check(BinOp::Max, -1i8, 1i8, 1i8);
    check(BinOp::Max, 255u8, 1u8, 255u8);
}

#[test]
fn minimum_and_maximum_of_equal_numbers_are_the_first() {
    for op in [BinOp::Min, BinOp::Max] {
        check(op, 0.0, -0.0, 0.0);
        check(op, -0.0f32, 0.0f32, -0.0f32);
        check(op, f16::ZERO, f16::NEG_ZERO, f16::ZERO);
    }
}

#[test]
fn float_remainder_has_the_sign_of_the_dividend() {
    check(BinOp::Mod, -7.5, 2.0, -1.5);
    check(BinOp::Mod, 7.5f32, -2.0f32, 1.5f32);
}

#[test]
fn rounding_breaks_ties_to_even() {
    for (x, rounded) in [(0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (-0.5, -0.0), (-1.5, -2.0)] {
        assert_eq!(unary(UnOp::Round, F64(x)), Some(F64(rounded)));
        assert_eq!(unary(UnOp::Round, F32(x as f32)), Some(F32(rounded as f32)));
    }
}

#[test]
fn signs() {
    assert_eq!(unary(UnOp::Sgn, I32(-9)), Some(I32(-1)));
    assert_eq!(unary(UnOp::Sgn, U64(9)), Some(U64(1)));
    assert_eq!(unary(UnOp::Sgn, F64(-0.0)), Some(F64(0.0)));
    assert_eq!(unary(UnOp::Sgn, F32(-2.0)), Some(F32(-1.0)));
    assert_eq!(unary(UnOp::Sgn, F64(f64::NAN)), Some(F64(f64::NAN)));
}

#[test]
fn half_floats_round_once() {
    check(BinOp::Add, f16::from_f32(2048.0), f16::ONE, f16::from_f32(2048.0));
    check(BinOp::Mul, f16::MAX, f16::from_f32(2.0), f16::INFINITY);
    assert_eq!(convert(I64(i64::MAX), PrimType::F16), F16(f16::INFINITY));
    assert_eq!(convert(F64(1.0 / 3.0), PrimType::F16), F16(f16::from_f32(0.33325195)));
    // Just below and just above the midpoint of two neighbouring f16. The nearest f32 is the midpoint in all cases.
    let middle = f64::from(f16::from_f32(52256.0)) + 16.0;
    for (x, nearest) in [(middle - 1e-6, 52256.0), (middle, 52288.0), (middle + 1e-6, 52288.0)] {
        for sign in [1.0, -1.0] {
            assert_eq!(
                convert(F64(sign * x), PrimType::F16),
                F16(f16::from_f32(sign as f32 * nearest)),
                "{x}"
            );
        }
    }
    for (x, nearest) in [(1e300, f16::INFINITY), (-1e-300, f16::NEG_ZERO), (65519.999999999, f16::MAX)] {
        assert_eq!(convert(F64(x), PrimType::F16), F16(nearest), "{x}");
    }
}

#[test]
fn comparisons() {
    assert_eq!(compare(CmpOp::Eq, F64(f64::NAN), F64(f64::NAN)), Some(false));
    assert_eq!(compare(CmpOp::Ne, F64(f64::NAN), F64(f64::NAN)), Some(true));
    assert_eq!(compare(CmpOp::Le, F32(f32::NAN), F32(1.0)), Some(false));
    assert_eq!(compare(CmpOp::Eq, F64(0.0), F64(-0.0)), Some(true));
    assert_eq!(compare(CmpOp::Lt, Bool(false), Bool(true)), Some(true));
    assert_eq!(compare(CmpOp::Lt, U8(200), U8(100)), Some(false));
    assert_eq!(compare(CmpOp::Lt, I8(-56), I8(100)), Some(true));
}

#[test]
fn conversions() {
    assert_eq!(convert(I32(-1), PrimType::I64), I64(-1));
    assert_eq!(convert(U32(u32::MAX), PrimType::I64), I64(i64::from(u32::MAX)));
    assert_eq!(convert(I64(0x1_0000_0001), PrimType::I32), I32(1));
    assert_eq!(convert(F64(1e300), PrimType::I32), I32(i32::MAX));
    assert_eq!(convert(F64(-1.5), PrimType::I32), I32(-1));
    assert_eq!(convert(F64(f64::NAN), PrimType::I64), I64(0));
    assert_eq!(convert(F64(f64::INFINITY), PrimType::I64), I64(0));
    assert_eq!(convert(F32(f32::NEG_INFINITY), PrimType::I8), I8(0));
    assert_eq!(convert(F16(f16::INFINITY), PrimType::U16), U16(0));
    assert_eq!(convert(F64(f64::NAN), PrimType::Bool), Bool(true));
    assert_eq!(convert(F64(-0.0), PrimType::Bool), Bool(false));
    assert_eq!(convert(I64(i64::MIN), PrimType::Bool), Bool(true));
    assert_eq!(convert(Bool(true), PrimType::F16), F16(f16::ONE));
    assert_eq!(convert(U64(u64::MAX), PrimType::F32), F32(u64::MAX as f32));
    assert_eq!(convert(F64(-0.0), PrimType::F64), F64(-0.0));
}

/// The value of a type with these low bits, and its mathematical value.
fn integer(ty: PrimType, bits: u64) -> (PrimValue, i128) {
    let value = PrimValue::from_bits(ty, bits);
    let number = if ty.is_signed() { i128::from(bits.cast_signed()) } else { i128::from(bits) };
    let (width, number) = (1 << ty.bits(), number.rem_euclid(1 << ty.bits()));
    (value, if ty.is_signed() && number >= width / 2 { number - width } else { number })
}

/// The expected value in 128 bits: the integer modulo 2^width of `to`. From a signed to an unsigned type, the operand is
/// zero-extended.
#[test]
fn integers_are_truncated_or_extended_between_all_types() {
    let integers = || PrimType::ALL.into_iter().filter(|ty| ty.is_integer());
    for from in integers() {
        let most = u64::MAX >> (64 - from.bits());
        for bits in [0, 1, 100, 0xff80, most, most - 1, most / 2, most / 2 + 1, 0x1234_5678_9abc_def0] {
            let (value, number) = integer(from, bits);
            for to in integers() {
                let extended = match from.is_signed() && to.is_unsigned() {
                    true => number.rem_euclid(1 << from.bits()),
                    false => number,
                };
                let wrapped = extended.rem_euclid(1 << to.bits()) as u64;
                assert_eq!(convert(value, to), PrimValue::from_bits(to, wrapped), "{to}.{from} {value}");
            }
        }
    }
    assert_eq!(convert(I8(-128), PrimType::U16), U16(128));
    assert_eq!(convert(I32(-1), PrimType::U64), U64(0xffff_ffff));
    assert_eq!(convert(I8(-1), PrimType::I64), I64(-1));
    assert_eq!(convert(U8(255), PrimType::I16), I16(255));
}

#[test]
fn floats_become_unsigned_by_their_low_bits() {
    let unsigned = || PrimType::ALL.into_iter().filter(|ty| ty.is_unsigned());
    for (float, number) in [
        (-1.0, -1),
        (-3.5, -3),
        (-0.9, 0),
        (300.7, 300),
        (-200.0, -200),
        (5e9, 5_000_000_000),
        (-5e9, -5_000_000_000),
        (2f64.powi(63), 1 << 63),
        (1e19, 10_000_000_000_000_000_000),
        (-1e19, -(1 << 63)),
        (1e300, (1 << 64) - 1),
        (-1e300, -(1 << 63)),
        (f64::NAN, 0),
        (f64::INFINITY, 0),
        (f64::NEG_INFINITY, 0),
    ] {
        for to in unsigned() {
            let low = i128::rem_euclid(number, 1 << 64) as u64;
            assert_eq!(convert(F64(float), to), PrimValue::from_bits(to, low), "{to}.f64 {float}");
        }
    }
    assert_eq!(convert(F64(-3.5), PrimType::U32), U32(4_294_967_293));
    assert_eq!(convert(F32(-1.5), PrimType::U8), U8(255));
    assert_eq!(convert(F16(f16::from_f32(-200.5)), PrimType::U8), U8(56));
}

#[test]
fn representations() {
    assert_eq!(unary(UnOp::ToBits, F32(1.0)), Some(U32(0x3f80_0000)));
    assert_eq!(unary(UnOp::FromBits, U64(0x7ff0_0000_0000_0000)), Some(F64(f64::INFINITY)));
    assert_eq!(unary(UnOp::FromBits, U16(0x3c00)), Some(F16(f16::ONE)));
    assert_eq!(unary(UnOp::IsNan, F16(f16::NAN)), Some(Bool(true)));
    assert_eq!(unary(UnOp::IsInf, F32(f32::NEG_INFINITY)), Some(Bool(true)));
}
