//! The functions that give scalar operators their meaning where WGSL's own differ.
//!
//! Each is a template over the type it works on: `T` stands for the type, `U` for the unsigned type of
//! its width, `W` for the width, `F` for the type converted from. A module holds those it calls, and
//! those that these call.

use std::collections::BTreeMap;

use ravel_prim::PrimType;

/// The helpers of one module, by name.
#[derive(Default)]
pub(crate) struct Helpers {
    texts: BTreeMap<String, String>,
}

impl Helpers {
    /// Makes sure that the module holds the helper `name` for type `ty`; gives its name in the module.
    pub(crate) fn want(&mut self, name: &str, ty: PrimType) -> String {
        let full = format!("{name}_{ty}");
        if !self.texts.contains_key(&full) {
            let (template, needs) = template(name, ty);
            self.texts.insert(full.clone(), instance(template, ty));
            for need in needs {
                self.want(need, ty);
            }
        }
        full
    }

    /// All of them, in a fixed order.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.values().map(String::as_str)
    }
}

/// The helper that converts from `ty` to integers.
pub(crate) fn saturate_name(from: PrimType) -> &'static str {
    if from == PrimType::F64 { "saturate_f64" } else { "saturate_f32" }
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
fn template(name: &str, ty: PrimType) -> (&'static str, &'static [&'static str]) {
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
        "pow" if ty.is_float() => (FLOAT_POW, &["isnan", "isinf", "from_bits"]),
        "pow" => (POW, &[]),
        "min" => (MIN, &["isnan"]),
        "max" => (MAX, &["isnan"]),
        "shl" => (SHL, &[]),
        "shr" => (SHR, &[]),
        "lshr" => (LSHR, &[]),
        "hypot" => (HYPOT, &["isinf", "from_bits"]),
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
        "cbrt" => (CBRT, &["isnan", "isinf"]),
        "log10" => (LOG10, &[]),
        "saturate_f32" => (saturate_template(PrimType::F32, ty), &[]),
        "saturate_f64" => (saturate_template(PrimType::F64, ty), &[]),
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
    let long = select(abs(b), abs(a), abs(b) < abs(a));
    let short = select(abs(a), abs(b), abs(b) < abs(a));
    if (long == T(0)) { return long; }
    let ratio = short / long;
    return long * sqrt(T(1) + ratio * ratio);
}";

const CBRT: &str = "
fn cbrt_T(a: T) -> T {
    if (a == T(0) || isnan_T(a) || isinf_T(a)) { return a; }
    let guess = select(T(1), T(-1), a < T(0)) * exp2(log2(abs(a)) / T(3));
    return guess - (guess - a / (guess * guess)) / T(3);
}";

const LOG10: &str = "
fn log10_T(a: T) -> T { return log2(a) * T(0.30102999566398119521); }";

const FLOAT_POW: &str = "
fn pow_T(a: T, b: T) -> T {
    if (b == T(0) || a == T(1)) { return T(1); }
    if (isnan_T(a) || isnan_T(b)) { return a + b; }
    let size = abs(a);
    let infinity = from_bits_T(0x7f800000u);
    if (isinf_T(b)) {
        if (size == T(1)) { return T(1); }
        return select(T(0), infinity, (size > T(1)) == (b > T(0)));
    }
    var power = exp2(b * log2(size));
    if (size == T(0)) { power = select(T(0), infinity, b < T(0)); }
    if (isinf_T(size)) { power = select(infinity, T(0), b < T(0)); }
    if ((bitcast<U>(a) >> 31u) == 0u) { return power; }
    let half = b * T(0.5);
    if (trunc(b) == b) { return select(power, -power, trunc(half) != half); }
    if (size == T(0) || isinf_T(size)) { return power; }
    return from_bits_T(~U(0));
}";

// Conversions from floats: towards zero, to the nearest bound when beyond, and 0 from NaN.

macro_rules! saturate_signed {
    ($from:literal, $bound:literal, $least:literal, $most:literal) => {
        concat!(
            "\nfn saturate_",
            $from,
            "_T(a: ",
            $from,
            ") -> T {\n",
            "    if (!(a == a)) { return T(0); }\n",
            "    if (a >= ",
            $bound,
            ") { return ",
            $most,
            "; }\n",
            "    if (a < -",
            $bound,
            ") { return ",
            $least,
            "; }\n",
            "    return T(a);\n}"
        )
    };
}

macro_rules! saturate_unsigned {
    ($from:literal, $bound:literal, $most:literal) => {
        concat!(
            "\nfn saturate_",
            $from,
            "_T(a: ",
            $from,
            ") -> T {\n",
            "    if (!(a > ",
            $from,
            "(0))) { return T(0); }\n",
            "    if (a >= ",
            $bound,
            ") { return ",
            $most,
            "; }\n",
            "    return T(a);\n}"
        )
    };
}

fn saturate_template(from: PrimType, to: PrimType) -> &'static str {
    match (from == PrimType::F64, to) {
        (false, PrimType::I32) => saturate_signed!("f32", "2147483648.0f", "i32(-2147483648)", "2147483647i"),
        (true, PrimType::I32) => saturate_signed!("f64", "2147483648.0lf", "i32(-2147483648)", "2147483647i"),
        (false, PrimType::I64) => saturate_signed!(
            "f32",
            "9223372036854775808.0f",
            "i64(-9223372036854775807li - 1li)",
            "9223372036854775807li"
        ),
        (true, PrimType::I64) => saturate_signed!(
            "f64",
            "9223372036854775808.0lf",
            "i64(-9223372036854775807li - 1li)",
            "9223372036854775807li"
        ),
        (false, PrimType::U32) => saturate_unsigned!("f32", "4294967296.0f", "4294967295u"),
        (true, PrimType::U32) => saturate_unsigned!("f64", "4294967296.0lf", "4294967295u"),
        (false, _) => saturate_unsigned!("f32", "18446744073709551616.0f", "18446744073709551615lu"),
        (true, _) => saturate_unsigned!("f64", "18446744073709551616.0lf", "18446744073709551615lu"),
    }
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
