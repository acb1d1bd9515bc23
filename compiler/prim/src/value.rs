//! Primitive values.

use std::fmt::Display;

use half::f16;
use serde::{Deserialize, Serialize, Serializer};

use crate::PrimType;

/// A value of a primitive type.
///
/// Values are equal if their bits are: NaN equals itself and 0.0 differs from -0.0, so that values can be keys of maps. The
/// language's comparisons are [`crate::compare`].
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each name is the type's name")]
pub enum PrimValue {
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    F16(#[serde(serialize_with = "float")] f16),
    F32(#[serde(serialize_with = "float")] f32),
    F64(#[serde(serialize_with = "float")] f64),
    Bool(bool),
}

/// Writes a float: for people as a number or, since JSON has no such numbers, as `"nan"`, `"inf"` or `"-inf"`;
/// for programs as its bits.
fn float<F, S>(float: &F, serializer: S) -> Result<S::Ok, S::Error>
where
    F: Copy + Into<f64> + Display + Serialize,
    S: Serializer,
{
    let wide: f64 = (*float).into();
    match serializer.is_human_readable() {
        true if wide.is_nan() => serializer.serialize_str("nan"),
        true if wide.is_infinite() => serializer.serialize_str(if wide > 0.0 { "inf" } else { "-inf" }),
        // The shortest text that is read back as this float.
        true => serializer.serialize_f64(float.to_string().parse().unwrap_or(wide)),
        false => float.serialize(serializer),
    }
}

impl PrimValue {
    /// The type of the value.
    pub fn ty(self) -> PrimType {
        match self {
            PrimValue::I8(_) => PrimType::I8,
            PrimValue::I16(_) => PrimType::I16,
            PrimValue::I32(_) => PrimType::I32,
            PrimValue::I64(_) => PrimType::I64,
            PrimValue::U8(_) => PrimType::U8,
            PrimValue::U16(_) => PrimType::U16,
            PrimValue::U32(_) => PrimType::U32,
            PrimValue::U64(_) => PrimType::U64,
            PrimValue::F16(_) => PrimType::F16,
            PrimValue::F32(_) => PrimType::F32,
            PrimValue::F64(_) => PrimType::F64,
            PrimValue::Bool(_) => PrimType::Bool,
        }
    }

    /// The representation, zero-extended to 64 bits.
    pub fn bits(self) -> u64 {
        match self {
            PrimValue::I8(x) => u64::from(x as u8),
            PrimValue::I16(x) => u64::from(x as u16),
            PrimValue::I32(x) => u64::from(x as u32),
            PrimValue::I64(x) => x as u64,
            PrimValue::U8(x) => u64::from(x),
            PrimValue::U16(x) => u64::from(x),
            PrimValue::U32(x) => u64::from(x),
            PrimValue::U64(x) => x,
            PrimValue::F16(x) => u64::from(x.to_bits()),
            PrimValue::F32(x) => u64::from(x.to_bits()),
            PrimValue::F64(x) => x.to_bits(),
            PrimValue::Bool(x) => u64::from(x),
        }
    }

    /// The value of type `ty` with this representation (the low bits of `bits`).
    pub fn from_bits(ty: PrimType, bits: u64) -> PrimValue {
        match ty {
            PrimType::I8 => PrimValue::I8(bits as i8),
            PrimType::I16 => PrimValue::I16(bits as i16),
            PrimType::I32 => PrimValue::I32(bits as i32),
            PrimType::I64 => PrimValue::I64(bits as i64),
            PrimType::U8 => PrimValue::U8(bits as u8),
            PrimType::U16 => PrimValue::U16(bits as u16),
            PrimType::U32 => PrimValue::U32(bits as u32),
            PrimType::U64 => PrimValue::U64(bits),
            PrimType::F16 => PrimValue::F16(f16::from_bits(bits as u16)),
            PrimType::F32 => PrimValue::F32(f32::from_bits(bits as u32)),
            PrimType::F64 => PrimValue::F64(f64::from_bits(bits)),
            PrimType::Bool => PrimValue::Bool(bits & 1 == 1),
        }
    }

    /// Zero (or false) of type `ty`.
    pub fn zero(ty: PrimType) -> PrimValue {
        PrimValue::from_bits(ty, 0)
    }

    /// The value, if its type is i64.
    pub fn as_i64(self) -> Option<i64> {
        match self {
            PrimValue::I64(x) => Some(x),
            _ => None,
        }
    }

    /// The value, if its type is bool.
    pub fn as_bool(self) -> Option<bool> {
        match self {
            PrimValue::Bool(x) => Some(x),
            _ => None,
        }
    }
}

/// Conversions from the Rust types.
macro_rules! from_rust {
    ($($rust:ty => $variant:ident,)*) => {$(
        impl From<$rust> for PrimValue {
            fn from(value: $rust) -> PrimValue {
                PrimValue::$variant(value)
            }
        }
    )*};
}

from_rust! {
    i8 => I8, i16 => I16, i32 => I32, i64 => I64,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64,
    f16 => F16, f32 => F32, f64 => F64, bool => Bool,
}

impl PartialEq for PrimValue {
    fn eq(&self, other: &PrimValue) -> bool {
        self.ty() == other.ty() && self.bits() == other.bits()
    }
}

impl Eq for PrimValue {}

impl std::hash::Hash for PrimValue {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.ty(), self.bits()).hash(state);
    }
}

/// The f16 nearest to a number. On processors without a conversion from f64, `f16::from_f64` rounds to f32 first, which
/// would round twice. So this function rounds to f32 by rounding to odd: if the f32 is inexact, its last bit is made odd.
/// Such an f32 is never halfway between two f16.
pub fn nearest_f16(x: f64) -> f16 {
    let single = x as f32;
    let (bits, near) = (single.to_bits(), f64::from(single));
    let odd = match bits & 1 == 0 {
        true if near.abs() < x.abs() => bits + 1,
        true if near.abs() > x.abs() => bits - 1,
        _ => bits,
    };
    f16::from_f32(f32::from_bits(odd))
}
