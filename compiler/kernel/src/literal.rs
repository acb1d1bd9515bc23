//! Constants and quoted text in kernel text.
//!
//! A constant is printed like a [`PrimValue`]. A NaN that would be parsed to other bits is printed as its bits:
//! `f32#7fc00001`.

use ravel_prim::{PrimType, PrimValue};

/// Prints a constant.
pub(crate) fn print(value: PrimValue) -> String {
    let text = value.to_string();
    if PrimValue::parse(&text) == Some(value) { text } else { format!("{}#{:x}", value.ty(), value.bits()) }
}

/// Parses a constant; `None` if the text is none.
pub(crate) fn parse(text: &str) -> Option<PrimValue> {
    let Some((ty, bits)) = text.split_once('#') else { return PrimValue::parse(text) };
    let ty = PrimType::from_name(ty)?;
    Some(PrimValue::from_bits(ty, u64::from_str_radix(bits, 16).ok()?))
}

/// Escapes a text and encloses it in quotes.
pub(crate) fn quote(text: &str) -> String {
    format!("\"{}\"", text.escape_debug())
}

/// The reverse of [`quote`], for text without its quotes; `None` if an escape is wrong.
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
    fn every_constant_is_parsed_back() {
        let floats = [0.0, -0.0, 1.5, 1e-300, f64::MIN_POSITIVE, f64::MAX, f64::NAN, -f64::INFINITY];
        let mut values: Vec<_> = floats.iter().map(|&x| PrimValue::F64(x)).collect();
        values.extend(floats.iter().map(|&x| PrimValue::F32(x as f32)));
        for ty in PrimType::ALL {
            let bits = [0, 1, 0x3c01, u64::MAX, 1 << (ty.bits() - 1)];
            values.extend(bits.map(|bits| PrimValue::from_bits(ty, bits)));
        }
        for value in values {
            let text = print(value);
            let back = parse(&text).expect(&text);
            assert_eq!(back, value, "{text}");
        }
    }

    #[test]
    fn text_is_parsed_back() {
        for text in ["", "a\"b\\c\n\t\r\0", "\u{7f}ä\u{301}'", "{}"] {
            let quoted = quote(text);
            assert_eq!(unquote(&quoted[1..quoted.len() - 1]).as_deref(), Some(text));
        }
    }
}
