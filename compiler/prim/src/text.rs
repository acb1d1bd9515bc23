//! The text form of primitive values: the parser reads what the printer writes.
//!
//! `3i32`, `1.5f64`, `-0.0f64`, `f64.nan`, `-f64.inf`, `true`. A finite float prints as the
//! shortest decimal that reads back as itself; every NaN prints, and reads back, as the quiet one.

use std::fmt;

use crate::{PrimType, PrimValue, nearest_f16};

impl fmt::Display for PrimValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ty = self.ty();
        match *self {
            PrimValue::I8(x) => write!(f, "{x}{ty}"),
            PrimValue::I16(x) => write!(f, "{x}{ty}"),
            PrimValue::I32(x) => write!(f, "{x}{ty}"),
            PrimValue::I64(x) => write!(f, "{x}{ty}"),
            PrimValue::U8(x) => write!(f, "{x}{ty}"),
            PrimValue::U16(x) => write!(f, "{x}{ty}"),
            PrimValue::U32(x) => write!(f, "{x}{ty}"),
            PrimValue::U64(x) => write!(f, "{x}{ty}"),
            PrimValue::F16(x) if x.is_finite() => write!(f, "{:?}{ty}", x.to_f32()),
            PrimValue::F32(x) if x.is_finite() => write!(f, "{x:?}{ty}"),
            PrimValue::F64(x) if x.is_finite() => write!(f, "{x:?}{ty}"),
            PrimValue::F16(x) => write_special(f, ty, x.to_f64()),
            PrimValue::F32(x) => write_special(f, ty, f64::from(x)),
            PrimValue::F64(x) => write_special(f, ty, x),
            PrimValue::Bool(x) => write!(f, "{x}"),
        }
    }
}

fn write_special(f: &mut fmt::Formatter<'_>, ty: PrimType, x: f64) -> fmt::Result {
    match x {
        f64::INFINITY => write!(f, "{ty}.inf"),
        f64::NEG_INFINITY => write!(f, "-{ty}.inf"),
        _ => write!(f, "{ty}.nan"),
    }
}

impl PrimValue {
    /// Parses a value. `None` if the text is not one.
    pub fn parse(text: &str) -> Option<PrimValue> {
        match text {
            "true" => return Some(PrimValue::Bool(true)),
            "false" => return Some(PrimValue::Bool(false)),
            _ => {}
        }
        let (negative, magnitude) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        if let Some((ty, special)) = magnitude.split_once('.')
            && let Some(ty) = PrimType::from_name(ty)
        {
            return match special {
                "inf" if negative => PrimValue::from_float(ty, f64::NEG_INFINITY),
                "inf" => PrimValue::from_float(ty, f64::INFINITY),
                "nan" if !negative => PrimValue::from_float(ty, f64::NAN),
                _ => None,
            };
        }
        let ty = PrimType::ALL.into_iter().find(|ty| text.ends_with(ty.name()))?;
        let number = text.strip_suffix(ty.name())?;
        // Rust would also read `+1`, `inf` and `nan`.
        if !magnitude.starts_with(|first: char| first.is_ascii_digit()) {
            return None;
        }
        match ty {
            PrimType::I8 => number.parse().ok().map(PrimValue::I8),
            PrimType::I16 => number.parse().ok().map(PrimValue::I16),
            PrimType::I32 => number.parse().ok().map(PrimValue::I32),
            PrimType::I64 => number.parse().ok().map(PrimValue::I64),
            PrimType::U8 => number.parse().ok().map(PrimValue::U8),
            PrimType::U16 => number.parse().ok().map(PrimValue::U16),
            PrimType::U32 => number.parse().ok().map(PrimValue::U32),
            PrimType::U64 => number.parse().ok().map(PrimValue::U64),
            PrimType::F16 => number.parse().ok().map(nearest_f16).map(PrimValue::F16),
            PrimType::F32 => number.parse().ok().map(PrimValue::F32),
            PrimType::F64 => number.parse().ok().map(PrimValue::F64),
            PrimType::Bool => None,
        }
    }

    /// `x` rounded to the float type `ty`.
    fn from_float(ty: PrimType, x: f64) -> Option<PrimValue> {
        match ty {
            PrimType::F16 => Some(PrimValue::F16(nearest_f16(x))),
            PrimType::F32 => Some(PrimValue::F32(x as f32)),
            PrimType::F64 => Some(PrimValue::F64(x)),
            _ => None,
        }
    }
}

/// The value of hexadecimal `digits`, with an optional point, times 2^`exponent`. An infinity beyond the range of f64;
/// `None` if the text is not a number.
pub fn hexadecimal(digits: &str, exponent: &str) -> Option<f64> {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa = u128::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    let shift = i64::try_from(fraction.len()).ok()? * 4;
    // Beyond these an f64 is infinite or zero anyway.
    let mut exponent = exponent.parse::<i64>().ok()?.checked_sub(shift)?.clamp(-5_000, 5_000);
    let mut value = mantissa as f64;
    while exponent != 0 {
        let step = exponent.clamp(-1_000, 1_000);
        value *= 2_f64.powi(step as i32);
        exponent -= step;
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use half::f16;

    use super::*;

    #[test]
    fn values_print_as_in_source() {
        let prints = |value: PrimValue, text: &str| assert_eq!(value.to_string(), text);
        prints(PrimValue::I32(3), "3i32");
        prints(PrimValue::I64(i64::MIN), "-9223372036854775808i64");
        prints(PrimValue::F64(1.5), "1.5f64");
        prints(PrimValue::F64(-0.0), "-0.0f64");
        prints(PrimValue::F32(0.1), "0.1f32");
        prints(PrimValue::F64(f64::NAN), "f64.nan");
        prints(PrimValue::F32(f32::INFINITY), "f32.inf");
        prints(PrimValue::F16(f16::NEG_INFINITY), "-f16.inf");
        prints(PrimValue::Bool(true), "true");
    }

    #[test]
    fn printed_values_are_parsed_back() {
        let mut state = 1u64;
        for round in 0..20_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let ty = PrimType::ALL[round % PrimType::ALL.len()];
            let value = PrimValue::from_bits(ty, state >> (state >> 60));
            if crate::unary(crate::UnOp::IsNan, value) != Some(PrimValue::Bool(true)) {
                assert_eq!(PrimValue::parse(&value.to_string()), Some(value), "{value}");
            }
        }
        for bits in 0..=u16::MAX {
            let value = PrimValue::F16(f16::from_bits(bits));
            let back = PrimValue::parse(&value.to_string());
            assert!(back == Some(value) || f16::from_bits(bits).is_nan() && back.is_some());
        }
    }

    #[test]
    fn hexadecimal_floats() {
        assert_eq!(hexadecimal("1.8", "3"), Some(12.0));
        assert_eq!(hexadecimal("ff", "-8"), Some(0.99609375));
        assert_eq!(hexadecimal("1.0", "-1074"), Some(f64::from_bits(1)));
        assert_eq!(hexadecimal("1.0", "1024"), Some(f64::INFINITY));
        assert_eq!(hexadecimal("g", "0"), None);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "3", "i32", "+3i32", "--3i32", "256u8", "-1u8", "1.5i32", "inff64", "nanf32"] {
            assert_eq!(PrimValue::parse(text), None, "{text}");
        }
        for text in ["-f64.nan", "i32.inf", "truebool", "1bool", "f64.1", "1_0i32", " 1i32"] {
            assert_eq!(PrimValue::parse(text), None, "{text}");
        }
    }
}
