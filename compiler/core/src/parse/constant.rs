//! Constants of core text.

use half::f16;
use ravel_prim::{PrimType, PrimValue};

use crate::print::canonical_nan;

/// A number with its type (`-1i32`, `1e-7f64`), `-f32.inf`, or an i64 without a type.
pub(super) fn number(text: &str) -> Option<PrimValue> {
    if let Some(special) = text.strip_prefix('-').and_then(|text| text.strip_suffix(".inf")) {
        return infinity(special, -1.0);
    }
    let ty = PrimType::ALL.into_iter().find(|ty| text.ends_with(ty.name()));
    let (digits, ty) = match ty {
        Some(ty) => (&text[..text.len() - ty.name().len()], ty),
        None => (text, PrimType::I64),
    };
    Some(match ty {
        PrimType::I8 => PrimValue::I8(digits.parse().ok()?),
        PrimType::I16 => PrimValue::I16(digits.parse().ok()?),
        PrimType::I32 => PrimValue::I32(digits.parse().ok()?),
        PrimType::I64 => PrimValue::I64(digits.parse().ok()?),
        PrimType::U8 => PrimValue::U8(digits.parse().ok()?),
        PrimType::U16 => PrimValue::U16(digits.parse().ok()?),
        PrimType::U32 => PrimValue::U32(digits.parse().ok()?),
        PrimType::U64 => PrimValue::U64(digits.parse().ok()?),
        PrimType::F16 => PrimValue::F16(f16::from_f32(digits.parse().ok()?)),
        PrimType::F32 => PrimValue::F32(digits.parse().ok()?),
        PrimType::F64 => PrimValue::F64(digits.parse().ok()?),
        PrimType::Bool => return None,
    })
}

/// `true`, `false`, `f32.inf`, `f32.nan`, `f32.0x7fc00001`.
pub(super) fn word(text: &str) -> Option<PrimValue> {
    match text {
        "true" => return Some(PrimValue::Bool(true)),
        "false" => return Some(PrimValue::Bool(false)),
        _ => {}
    }
    let (ty, rest) = text.split_once('.')?;
    if rest == "inf" {
        return infinity(ty, 1.0);
    }
    let ty = PrimType::from_name(ty).filter(|ty| ty.is_float())?;
    match rest {
        "nan" => Some(canonical_nan(ty)),
        _ => {
            let bits = u64::from_str_radix(rest.strip_prefix("0x")?, 16).ok()?;
            Some(PrimValue::from_bits(ty, bits))
        }
    }
}

fn infinity(ty: &str, sign: f32) -> Option<PrimValue> {
    match PrimType::from_name(ty)? {
        PrimType::F16 => Some(PrimValue::F16(f16::from_f32(sign * f32::INFINITY))),
        PrimType::F32 => Some(PrimValue::F32(sign * f32::INFINITY)),
        PrimType::F64 => Some(PrimValue::F64(f64::from(sign) * f64::INFINITY)),
        _ => None,
    }
}
