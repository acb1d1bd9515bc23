//! Conversions from floats to integers.
//!
//! They round towards zero. Infinities and NaN become 0. In a signed type, a number out of range becomes the nearest
//! number of the type. In an unsigned type, the number is first limited to the range from -2^63 to 2^64 - 1; the result
//! is the low bits of that integer.

use ravel_prim::{PrimType, PrimValue};

use crate::scalar::{carried, carrier};
use crate::shader::Literal;

/// The conversion from `from` to `to`.
pub(super) fn truncate(from: PrimType, to: PrimType) -> String {
    let (source, target) = (from.name(), carrier(to).name());
    let not_finite = if from == PrimType::F64 {
        "(bitcast<u64>(a) & 0x7ff0000000000000lu) == 0x7ff0000000000000lu"
    } else {
        "(bitcast<u32>(a) & 0x7f800000u) == 0x7f800000u"
    };
    let power = |exponent: i32| Literal(ravel_prim::convert(PrimValue::F64(2_f64.powi(exponent)), from));
    // The limits of the range are powers of two. This is the exponent of the lower one.
    let lower_exponent = if to.is_signed() { to.bits() as i32 - 1 } else { 63 };
    let (most, least) = match to.is_signed() {
        true => (u64::MAX >> (64 - lower_exponent), !(u64::MAX >> (64 - lower_exponent))),
        false => (u64::MAX, 1 << 63),
    };
    let [most, least] = [most, least].map(|bits| Literal(carried(PrimValue::from_bits(to, bits))));
    let beyond = power(if to.is_signed() { lower_exponent } else { 64 });
    let within = match to {
        PrimType::U64 => format!("    if (a < {source}(0)) {{ return u64(i64(a)); }}\n    return u64(a);"),
        // The integer is computed as two words of 32 bits, because not every device has wider integers. All steps are
        // exact.
        _ if to.is_unsigned() => format!(
            "    let size = abs(a);
    let high = {source}(u32(size * {}));
    let low = u32(size - high * {});
    return select(low, 0u - low, a < {source}(0)) & {}u;",
            power(-32),
            power(32),
            u32::MAX >> (32 - to.bits())
        ),
        _ => format!("    return {target}(a);"),
    };
    format!(
        "fn truncate_{source}_{to}(a: {source}) -> {target} {{
    if ({not_finite}) {{ return {target}(0); }}
    if (a >= {beyond}) {{ return {most}; }}
    if (a < -{}) {{ return {least}; }}
{within}
}}
",
        power(lower_exponent)
    )
}
