//! Types and literals as WGSL spells them.

use ravel_prim::{PrimType, PrimValue};

/// The type that holds the values of type `ty` on the device: itself, or, of a type of 8 or 16 bits,
/// the type of its kind with 32. There a value is always one that `ty` has too, in memory as well.
pub(crate) fn carrier(ty: PrimType) -> PrimType {
    match ty {
        PrimType::I8 | PrimType::I16 => PrimType::I32,
        PrimType::U8 | PrimType::U16 => PrimType::U32,
        PrimType::F16 => PrimType::F32,
        _ => ty,
    }
}

/// The value as one of the carrier.
pub(crate) fn carried(value: PrimValue) -> PrimValue {
    ravel_prim::convert(value, carrier(value.ty()))
}

/// The WGSL type of a scalar of type `ty`.
pub(crate) fn type_name(ty: PrimType) -> &'static str {
    carrier(ty).name()
}

/// The WGSL type of an element in memory. A bool cannot be stored; it becomes a u32.
pub(crate) fn stored_type(ty: PrimType) -> &'static str {
    if ty == PrimType::Bool { "u32" } else { type_name(ty) }
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
    match carried(value) {
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
