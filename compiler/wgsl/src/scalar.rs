//! Types and literals as WGSL spells them.

use ravel_base::{Diagnostic, Limitation, Span};
use ravel_prim::{PrimType, PrimValue};

/// The WGSL type of a scalar of type `ty`.
pub(crate) fn type_name(ty: PrimType, span: Option<Span>) -> Result<&'static str, Diagnostic> {
    Ok(match ty {
        PrimType::I32 => "i32",
        PrimType::I64 => "i64",
        PrimType::U32 => "u32",
        PrimType::U64 => "u64",
        PrimType::F32 => "f32",
        PrimType::F64 => "f64",
        PrimType::Bool => "bool",
        PrimType::I8 | PrimType::I16 | PrimType::U8 | PrimType::U16 | PrimType::F16 => {
            return Err(Diagnostic::limitation(Limitation::SmallTypes, span));
        }
    })
}

/// The WGSL type of an element in memory. A bool cannot be stored; it becomes a u32.
pub(crate) fn stored_type(ty: PrimType, span: Option<Span>) -> Result<&'static str, Diagnostic> {
    if ty == PrimType::Bool { Ok("u32") } else { type_name(ty, span) }
}

/// The scalar that the stored element `text` stands for.
pub(crate) fn from_stored(ty: PrimType, text: String) -> String {
    if ty == PrimType::Bool { format!("({text} != 0u)") } else { text }
}

/// What to store for the scalar `text`.
pub(crate) fn to_stored(ty: PrimType, text: &str) -> String {
    if ty == PrimType::Bool { format!("select(0u, 1u, {text})") } else { text.to_owned() }
}

/// A literal.
///
/// WGSL has no text for NaN and the infinities, and a constant expression that gives one is an
/// error; such values are made from their bits at run time, by functions of [`crate::helpers`].
pub(crate) fn literal(value: PrimValue) -> String {
    match value {
        PrimValue::I32(i32::MIN) => "i32(-2147483648)".to_owned(),
        PrimValue::I32(x) => format!("{x}i"),
        PrimValue::I64(i64::MIN) => "i64(-9223372036854775807li - 1li)".to_owned(),
        PrimValue::I64(x) => format!("{x}li"),
        PrimValue::U32(x) => format!("{x}u"),
        PrimValue::U64(x) => format!("{x}lu"),
        PrimValue::F32(x) if plain(f64::from(x), f64::from(f32::MIN_POSITIVE)) => format!("{x:?}f"),
        PrimValue::F32(x) => format!("from_bits_f32({}u)", x.to_bits()),
        PrimValue::F64(x) if plain(x, f64::MIN_POSITIVE) => format!("{x:?}lf"),
        PrimValue::F64(x) => format!("from_bits_f64({}lu)", x.to_bits()),
        PrimValue::Bool(x) => x.to_string(),
        other => format!("{}u", other.bits()),
    }
}

/// Has the number a text that everyone reads alike? Not so subnormal numbers, and -0.0, which is
/// a negation of zero.
fn plain(x: f64, least: f64) -> bool {
    (x == 0.0 && x.is_sign_positive()) || (x.is_finite() && x.abs() >= least)
}
