//! The functions that give scalar operators their meaning where WGSL's own differ.
//!
//! Each is a template over the type it works on: `T` stands for the type, `U` for the unsigned type of
//! its width, `W` for the width. A module holds those it calls, and those that these call.

mod double;
mod single;

use std::collections::BTreeMap;

use ravel_prim::circular::TWO_OVER_PI;
use ravel_prim::{PrimType, PrimValue};

use crate::scalar::{literal, type_name};

/// The text of a helper, and the helpers of the same type that it calls.
type Template = (&'static str, &'static [&'static str]);

/// The helpers of one module, by name.
#[derive(Default)]
pub(crate) struct Helpers {
    texts: BTreeMap<String, String>,
}

impl Helpers {
    /// Makes sure that the module holds the helper `name` for type `ty`; gives its name in the module.
    pub(crate) fn want(&mut self, name: &str, ty: PrimType) -> String {
        let full = format!("{name}_{ty}");
        if self.texts.contains_key(&full) {
            return full;
        }
        let text = match name {
            "truncate_f32" => truncate(PrimType::F32, ty),
            "truncate_f64" => truncate(PrimType::F64, ty),
            "two_over_pi" => two_over_pi(&full, ty),
            _ => {
                let (template, needs) = template(name, ty);
                for need in needs {
                    self.want(need, ty);
                }
                instance(template, ty)
            }
        };
        self.texts.insert(full.clone(), text);
        full
    }

    /// All of them, in a fixed order.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.values().map(String::as_str)
    }
}

/// The template for type `ty`: its words `T`, `U`, `W` replaced.
fn instance(template: &str, ty: PrimType) -> String {
    let (unsigned, width) = if ty.bits() == 64 { ("u64", "64") } else { ("u32", "32") };
    let mut text = String::new();
    let mut word = String::new();
    for c in template.trim().chars().chain(['\n']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        for (index, part) in word.split('_').enumerate() {
            text.push_str(if index > 0 { "_" } else { "" });
            text.push_str(match part {
                "T" => ty.name(),
                "U" => unsigned,
                "W" => width,
                other => other,
            });
        }
        word.clear();
        text.push(c);
    }
    text
}

/// The template of a helper, and the helpers (of the same type) that it calls.
fn template(name: &str, ty: PrimType) -> Template {
    let own = match ty {
        PrimType::F64 => double::template(name),
        PrimType::F32 => single::template(name),
        _ => None,
    };
    if let Some(own) = own {
        return own;
    }
    match name {
        "div" if ty.is_signed() => (DIV, &["quot"]),
        "mod" if ty.is_signed() => (MOD, &["rem"]),
        "quot" if ty.is_signed() => (QUOT, &[]),
        "rem" if ty.is_signed() => (REM, &[]),
        "div" => (UNSIGNED_DIV, &[]),
        "quot" => (UNSIGNED_QUOT, &[]),
        "rem" => (UNSIGNED_REM, &[]),
        "mod" if ty.is_float() => (FLOAT_MOD, &["from_bits", "isnan", "isinf", "copysign"]),
        "mod" => (UNSIGNED_MOD, &[]),
        "pow" if ty.is_float() => (FLOAT_POW, &["isnan", "isinf", "inf", "from_bits", "trunc", "power"]),
        "inf" if ty == PrimType::F64 => (INF_64, &["from_bits"]),
        "inf" => (INF_32, &["from_bits"]),
        "pow" => (POW, &[]),
        "trunc" => (TRUNC, &[]),
        "min" => (MIN, &["isnan"]),
        "max" => (MAX, &["isnan"]),
        "shl" => (SHL, &[]),
        "shr" => (SHR, &[]),
        "lshr" => (LSHR, &[]),
        "hypot" => (HYPOT, &["isinf", "isnan"]),
        "copysign" if ty == PrimType::F64 => (COPYSIGN_64, &[]),
        "copysign" => (COPYSIGN_32, &[]),
        "sgn" if ty.is_float() => (FLOAT_SGN, &["isnan"]),
        "sgn" if ty.is_signed() => (SGN, &[]),
        "sgn" => (UNSIGNED_SGN, &[]),
        "popc" if ty.bits() == 64 => (POPC_64, &[]),
        "popc" => (POPC_32, &[]),
        "clz" if ty.bits() == 64 => (CLZ_64, &[]),
        "clz" => (CLZ_32, &[]),
        "ctz" if ty.bits() == 64 => (CTZ_64, &[]),
        "ctz" => (CTZ_32, &[]),
        "isnan" if ty == PrimType::F64 => (ISNAN_64, &[]),
        "isnan" => (ISNAN_32, &[]),
        "isinf" if ty == PrimType::F64 => (ISINF_64, &[]),
        "isinf" => (ISINF_32, &[]),
        "double_to_half" => (DOUBLE_TO_HALF, &["round_to_half"]),
        "round_to_half" => (ROUND_TO_HALF, &[]),
        "half_bits" => (HALF_BITS, &[]),
        "half_from_bits" => (HALF_FROM_BITS, &[]),
        "report" if ty == PrimType::Bool => (REPORT_BOOL, &[]),
        "report" if ty.bits() == 64 => (REPORT_64, &[]),
        "report" => (REPORT_32, &[]),
        // "from_bits": a value that has no literal.
        _ => (FROM_BITS, &[]),
    }
}

// Integers.

const DIV: &str = "
fn div_T(a: T, b: T) -> T {
    let q = quot_T(a, b);
    return select(q, q - T(1), q * b != a && (a < T(0)) != (b < T(0)));
}";

const MOD: &str = "
fn mod_T(a: T, b: T) -> T {
    let r = rem_T(a, b);
    return select(r, r + b, r != T(0) && (r < T(0)) != (b < T(0)));
}";

const QUOT: &str = "
fn quot_T(a: T, b: T) -> T {
    if (b == T(-1)) { return T(0) - a; }
    return a / b;
}";

const REM: &str = "
fn rem_T(a: T, b: T) -> T {
    if (b == T(-1)) { return T(0); }
    return a % b;
}";

const UNSIGNED_DIV: &str = "
fn div_T(a: T, b: T) -> T { return a / b; }";

const UNSIGNED_QUOT: &str = "
fn quot_T(a: T, b: T) -> T { return a / b; }";

const UNSIGNED_MOD: &str = "
fn mod_T(a: T, b: T) -> T { return a % b; }";

const UNSIGNED_REM: &str = "
fn rem_T(a: T, b: T) -> T { return a % b; }";

const POW: &str = "
fn pow_T(a: T, b: T) -> T {
    var power = T(1);
    var square = a;
    var exponent = b;
    while (exponent > T(0)) {
        if ((exponent & T(1)) == T(1)) { power = power * square; }
        square = square * square;
        exponent = exponent >> 1u;
    }
    return power;
}";

const SHL: &str = "
fn shl_T(a: T, b: T) -> T {
    if (b < T(0) || b >= T(W)) { return T(0); }
    return a << u32(b);
}";

const SHR: &str = "
fn shr_T(a: T, b: T) -> T {
    if (b < T(0) || b >= T(W)) { return select(T(0), T(-1), a < T(0)); }
    return a >> u32(b);
}";

const LSHR: &str = "
fn lshr_T(a: T, b: T) -> T {
    if (b < T(0) || b >= T(W)) { return T(0); }
    return T(U(a) >> u32(b));
}";

const SGN: &str = "
fn sgn_T(a: T) -> T { return select(select(T(0), T(1), a > T(0)), T(-1), a < T(0)); }";

const UNSIGNED_SGN: &str = "
fn sgn_T(a: T) -> T { return select(T(0), T(1), a > T(0)); }";

const POPC_32: &str = "
fn popc_T(a: T) -> i32 { return i32(countOneBits(u32(a))); }";

const POPC_64: &str = "
fn popc_T(a: T) -> i32 {
    let bits = u64(a);
    return i32(countOneBits(u32(bits)) + countOneBits(u32(bits >> 32u)));
}";

const CLZ_32: &str = "
fn clz_T(a: T) -> i32 { return i32(countLeadingZeros(u32(a))); }";

const CLZ_64: &str = "
fn clz_T(a: T) -> i32 {
    let bits = u64(a);
    let high = u32(bits >> 32u);
    if (high != 0u) { return i32(countLeadingZeros(high)); }
    return 32i + i32(countLeadingZeros(u32(bits)));
}";

const CTZ_32: &str = "
fn ctz_T(a: T) -> i32 { return i32(countTrailingZeros(u32(a))); }";

const CTZ_64: &str = "
fn ctz_T(a: T) -> i32 {
    let bits = u64(a);
    let low = u32(bits);
    if (low != 0u) { return i32(countTrailingZeros(low)); }
    return 32i + i32(countTrailingZeros(u32(bits >> 32u)));
}";

// Floats.

const FROM_BITS: &str = "
fn from_bits_T(bits: U) -> T { return bitcast<T>(bits); }";

const ISNAN_32: &str = "
fn isnan_T(a: T) -> bool { return (bitcast<u32>(a) & 0x7fffffffu) > 0x7f800000u; }";

const ISNAN_64: &str = "
fn isnan_T(a: T) -> bool { return (bitcast<u64>(a) & 0x7ffffffffffffffflu) > 0x7ff0000000000000lu; }";

const ISINF_32: &str = "
fn isinf_T(a: T) -> bool { return (bitcast<u32>(a) & 0x7fffffffu) == 0x7f800000u; }";

const ISINF_64: &str = "
fn isinf_T(a: T) -> bool { return (bitcast<u64>(a) & 0x7ffffffffffffffflu) == 0x7ff0000000000000lu; }";

const MIN: &str = "
fn min_T(a: T, b: T) -> T { return select(a, b, b < a || isnan_T(a)); }";

const MAX: &str = "
fn max_T(a: T, b: T) -> T { return select(a, b, a < b || isnan_T(a)); }";

const FLOAT_SGN: &str = "
fn sgn_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    return select(select(T(0), T(1), a > T(0)), T(-1), a < T(0));
}";

const COPYSIGN_32: &str = "
fn copysign_T(a: T, b: T) -> T {
    return bitcast<T>((bitcast<u32>(a) & 0x7fffffffu) | (bitcast<u32>(b) & 0x80000000u));
}";

const COPYSIGN_64: &str = "
fn copysign_T(a: T, b: T) -> T {
    return bitcast<T>((bitcast<u64>(a) & 0x7ffffffffffffffflu) | (bitcast<u64>(b) & 0x8000000000000000lu));
}";

// Long division in binary: every subtraction is exact, because step <= rest < 2 * step.
const FLOAT_MOD: &str = "
fn mod_T(a: T, b: T) -> T {
    if (isnan_T(a) || isnan_T(b)) { return a + b; }
    if (isinf_T(a) || b == T(0)) { return from_bits_T(~U(0)); }
    if (isinf_T(b)) { return a; }
    var rest = abs(a);
    let size = abs(b);
    var step = size;
    while (step <= rest * T(0.5)) { step = step + step; }
    while (rest >= size) {
        if (rest >= step) { rest = rest - step; }
        step = step * T(0.5);
    }
    return copysign_T(rest, a);
}";

const HYPOT: &str = "
fn hypot_T(a: T, b: T) -> T {
    if (isinf_T(a) || isinf_T(b)) { return abs(select(b, a, isinf_T(a))); }
    if (isnan_T(a) || isnan_T(b)) { return a + b; }
    let long = select(abs(b), abs(a), abs(b) < abs(a));
    let short = select(abs(a), abs(b), abs(b) < abs(a));
    if (long == T(0)) { return long; }
    let ratio = short / long;
    return long * sqrt(T(1) + ratio * ratio);
}";

const INF_32: &str = "
fn inf_T() -> T { return from_bits_T(0x7f800000u); }";

const INF_64: &str = "
fn inf_T() -> T { return from_bits_T(0x7ff0000000000000lu); }";

const TRUNC: &str = "
fn trunc_T(a: T) -> T { return trunc(a); }";

const FLOAT_POW: &str = "
fn pow_T(a: T, b: T) -> T {
    if (b == T(0) || a == T(1)) { return T(1); }
    if (isnan_T(a) || isnan_T(b)) { return a + b; }
    let size = abs(a);
    let infinity = inf_T();
    if (isinf_T(b)) {
        if (size == T(1)) { return T(1); }
        return select(T(0), infinity, (size > T(1)) == (b > T(0)));
    }
    var power = power_T(size, b);
    if (size == T(0)) { power = select(T(0), infinity, b < T(0)); }
    if (isinf_T(size)) { power = select(infinity, T(0), b < T(0)); }
    if ((bitcast<U>(a) >> (u32(W) - 1u)) == U(0)) { return power; }
    let half = b * T(0.5);
    if (trunc_T(b) == b) { return select(power, -power, trunc_T(half) != half); }
    if (size == T(0) || isinf_T(size)) { return power; }
    return from_bits_T(~U(0));
}";

// f16, held as an f32. The bits of an f32 lie 13 places to the left of those of an f16 of the same number,
// but for the exponent, which counts from another origin.

// Half a unit is added, less one bit unless the last digit is odd; next to 0.5 the last digit of an f32 is
// that of a subnormal f16, so that the sum is rounded there.
const ROUND_TO_HALF: &str = "
fn round_to_half_T(a: T) -> T {
    let bits = bitcast<u32>(a);
    let size = bits & 0x7fffffffu;
    let sign = bits & 0x80000000u;
    if (size > 0x7f800000u) { return a; }
    if (size < 0x38800000u) {
        let small = (bitcast<f32>(size) + 0.5f) - 0.5f;
        return bitcast<f32>(bitcast<u32>(small) | sign);
    }
    let rounded = (size + 0xfffu + ((size >> 13u) & 1u)) & 0xffffe000u;
    return bitcast<f32>(select(rounded, 0x7f800000u, rounded >= 0x47800000u) | sign);
}";

// Rounded to odd in between, which the second rounding never takes for a tie.
const DOUBLE_TO_HALF: &str = "
fn double_to_half_T(a: f64) -> T {
    let near = T(a);
    let bits = bitcast<u32>(near);
    let special = (bits & 0x7f800000u) == 0x7f800000u;
    if (special || f64(near) == a || (bits & 1u) == 1u) { return round_to_half_T(near); }
    return round_to_half_T(bitcast<T>(select(bits + 1u, bits - 1u, abs(f64(near)) > abs(a))));
}";

const HALF_BITS: &str = "
fn half_bits_T(a: T) -> u32 {
    let bits = bitcast<u32>(a);
    let size = bits & 0x7fffffffu;
    let sign = (bits >> 16u) & 0x8000u;
    if (size >= 0x7f800000u) { return sign | 0x7c00u | ((size >> 13u) & 0x3ffu); }
    if (size < 0x38800000u) { return sign | u32(abs(a) * 16777216.0f); }
    return sign | ((size - 0x38000000u) >> 13u);
}";

const HALF_FROM_BITS: &str = "
fn half_from_bits_T(bits: T) -> f32 {
    let sign = (bits & 0x8000u) << 16u;
    let size = bits & 0x7fffu;
    if (size >= 0x7c00u) { return bitcast<f32>(sign | 0x7f800000u | (size << 13u)); }
    if (size < 0x400u) { return bitcast<f32>(bitcast<u32>(f32(size) * 5.9604644775390625e-8f) | sign); }
    return bitcast<f32>(sign | ((size << 13u) + 0x38000000u));
}";

// Conversions from floats: towards zero, and 0 from infinities and NaN. In a signed type what is beyond becomes the
// nearest bound. An unsigned type gets the low bits of an integer between -2^63 and 2^64 - 1.

fn truncate(from: PrimType, to: PrimType) -> String {
    let (source, target) = (from.name(), type_name(to));
    let exponent = if from == PrimType::F64 {
        "(bitcast<u64>(a) & 0x7ff0000000000000lu) == 0x7ff0000000000000lu"
    } else {
        "(bitcast<u32>(a) & 0x7f800000u) == 0x7f800000u"
    };
    let power = |exponent: i32| literal(ravel_prim::convert(PrimValue::F64(2_f64.powi(exponent)), from));
    let bounds = if to.is_signed() { to.bits() as i32 - 1 } else { 63 };
    let (most, least) = match to.is_signed() {
        true => (u64::MAX >> (64 - bounds), !(u64::MAX >> (64 - bounds))),
        false => (u64::MAX, 1 << 63),
    };
    let [most, least] = [most, least].map(|bits| literal(PrimValue::from_bits(to, bits)));
    let beyond = power(if to.is_signed() { bounds } else { 64 });
    let within = match to {
        PrimType::U64 => format!("    if (a < {source}(0)) {{ return u64(i64(a)); }}\n    return u64(a);"),
        // Two words of 32 bits, as not every device has wider integers. All steps are exact.
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
    if ({exponent}) {{ return {target}(0); }}
    if (a >= {beyond}) {{ return {most}; }}
    if (a < -{}) {{ return {least}; }}
{within}
}}
",
        power(bounds)
    )
}

// The digits of 2/pi, from which an angle far from 0 is reduced.

fn two_over_pi(name: &str, ty: PrimType) -> String {
    let enough = if ty == PrimType::F64 { TWO_OVER_PI.len() } else { 9 };
    let words: Vec<String> = TWO_OVER_PI[..enough].iter().map(|word| format!("{word:#010x}u")).collect();
    let rows: Vec<String> = words.chunks(8).map(|row| format!("    {},\n", row.join(", "))).collect();
    format!("const {name} = array<u32, {}>(\n{});\n", words.len(), rows.concat())
}

// Reports: argument number `at` of a failed assertion, in two words of the status.

const REPORT_32: &str = "
fn report_T(at: u32, value: T) {
    atomicStore(&status[4u + 2u * at], bitcast<u32>(value));
    atomicStore(&status[5u + 2u * at], 0u);
}";

const REPORT_64: &str = "
fn report_T(at: u32, value: T) {
    let bits = bitcast<u64>(value);
    atomicStore(&status[4u + 2u * at], u32(bits));
    atomicStore(&status[5u + 2u * at], u32(bits >> 32u));
}";

const REPORT_BOOL: &str = "
fn report_T(at: u32, value: T) {
    atomicStore(&status[4u + 2u * at], select(0u, 1u, value));
    atomicStore(&status[5u + 2u * at], 0u);
}";
