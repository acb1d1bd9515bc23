//! Constants and quoted text as they stand in kernel text.
//!
//! Every constant carries its type, and every representation has a text that is read back to the
//! same bits: finite floats print in the shortest decimal form, other floats as `f32#7fc00000`.

use ravel_prim::{PrimType, PrimValue};

/// The text of a constant.
pub(crate) fn print(value: PrimValue) -> String {
    match value {
        PrimValue::Bool(x) => x.to_string(),
        PrimValue::I8(x) => format!("{x}i8"),
        PrimValue::I16(x) => format!("{x}i16"),
        PrimValue::I32(x) => format!("{x}i32"),
        PrimValue::I64(x) => format!("{x}i64"),
        PrimValue::U8(x) => format!("{x}u8"),
        PrimValue::U16(x) => format!("{x}u16"),
        PrimValue::U32(x) => format!("{x}u32"),
        PrimValue::U64(x) => format!("{x}u64"),
        PrimValue::F32(x) if x.is_finite() => format!("{x:?}f32"),
        PrimValue::F64(x) if x.is_finite() => format!("{x:?}f64"),
        PrimValue::F16(_) | PrimValue::F32(_) | PrimValue::F64(_) => {
            format!("{}#{:x}", value.ty(), value.bits())
        }
    }
}

/// The constant with this text.
pub(crate) fn parse(text: &str) -> Option<PrimValue> {
    if let Some((ty, bits)) = text.split_once('#') {
        let ty = PrimType::from_name(ty)?;
        return Some(PrimValue::from_bits(ty, u64::from_str_radix(bits, 16).ok()?));
    }
    let ty = PrimType::ALL.into_iter().find(|ty| text.ends_with(ty.name()))?;
    let number = &text[..text.len() - ty.name().len()];
    Some(match ty {
        PrimType::I8 => PrimValue::I8(number.parse().ok()?),
        PrimType::I16 => PrimValue::I16(number.parse().ok()?),
        PrimType::I32 => PrimValue::I32(number.parse().ok()?),
        PrimType::I64 => PrimValue::I64(number.parse().ok()?),
        PrimType::U8 => PrimValue::U8(number.parse().ok()?),
        PrimType::U16 => PrimValue::U16(number.parse().ok()?),
        PrimType::U32 => PrimValue::U32(number.parse().ok()?),
        PrimType::U64 => PrimValue::U64(number.parse().ok()?),
        PrimType::F32 => PrimValue::F32(number.parse().ok()?),
        PrimType::F64 => PrimValue::F64(number.parse().ok()?),
        PrimType::F16 | PrimType::Bool => return None,
    })
}

/// Text in quotes.
pub(crate) fn quote(text: &str) -> String {
    format!("\"{}\"", text.escape_debug())
}

/// What stands between the quotes, unescaped.
pub(crate) fn unquote(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        out.push(match chars.next()? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\0',
            'u' => {
                let rest = chars.as_str().strip_prefix('{')?;
                let (hex, rest) = rest.split_once('}')?;
                chars = rest.chars();
                char::from_u32(u32::from_str_radix(hex, 16).ok()?)?
            }
            other => other,
        });
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_constant_is_read_back() {
        let floats = [0.0, -0.0, 1.5, 1e-300, f64::MIN_POSITIVE, f64::MAX, f64::NAN, -f64::INFINITY];
        let mut values: Vec<_> = floats.iter().map(|&x| PrimValue::F64(x)).collect();
        values.extend(floats.iter().map(|&x| PrimValue::F32(x as f32)));
        for ty in PrimType::ALL {
            let bits = [0, 1, 0x3c01, u64::MAX, 1 << (ty.bits() - 1)];
            values.extend(bits.map(|bits| PrimValue::from_bits(ty, bits)));
        }
        for value in values {
            let text = print(value);
            let back = match text.as_str() {
                "true" => PrimValue::Bool(true),
                "false" => PrimValue::Bool(false),
                text => parse(text).expect(text),
            };
            assert_eq!(back, value, "{text}");
        }
    }

    #[test]
    fn text_is_read_back() {
        for text in ["", "a\"b\\c\n\t\r\0", "\u{7f}ä\u{301}'", "{}"] {
            let quoted = quote(text);
            assert_eq!(unquote(&quoted[1..quoted.len() - 1]).as_deref(), Some(text));
        }
    }
}
