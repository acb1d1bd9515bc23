//! Every scalar operator on every type of the device, compared with the evaluator of `prim` on all pairs of edge values
//! and on random ones.

use ravel_abi::{Array, Data, Value};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};

use crate::support::{call, load, row};

/// An operator on a type, as kernel text and as the evaluator's function.
struct Case {
    text: String,
    result: PrimType,
    eval: Box<dyn Fn(PrimValue, PrimValue) -> Option<PrimValue>>,
    /// The relative tolerance for floats.
    tolerance: f64,
}

/// The operators that may be inexact by some units in the last place, and in f32 by the error that the device is
/// allowed.
const ROUGH: &[&str] = &[
    "pow", "atan2", "hypot", "cbrt", "exp", "log", "log2", "log10", "sin", "cos", "tan", "asin", "acos",
    "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
];

fn case(
    text: String,
    result: PrimType,
    ty: PrimType,
    eval: impl Fn(PrimValue, PrimValue) -> Option<PrimValue> + 'static,
) -> Case {
    let name = text.split('(').next().unwrap_or_default();
    let rough = ty.is_float() && ROUGH.contains(&name);
    let tolerance = match (rough, ty) {
        (false, _) => 0.0,
        (true, PrimType::F64) => 9e-16,
        (true, PrimType::F32) => 1e-4,
        (true, _) => 1e-3,
    };
    Case { text, result, eval: Box::new(eval), tolerance }
}

fn cases(ty: PrimType) -> Vec<Case> {
    let mut cases = Vec::new();
    for &op in BinOp::ALL.iter().filter(|op| op.takes(ty)) {
        cases.push(case(format!("{}(x, y)", op.name()), ty, ty, move |a, b| ravel_prim::binary(op, a, b)));
    }
    for &op in UnOp::ALL.iter().filter(|op| op.takes(ty)) {
        let result = op.result(ty);
        cases.push(case(format!("{}(x)", op.name()), result, ty, move |a, _| ravel_prim::unary(op, a)));
    }
    for &op in CmpOp::ALL {
        let eval = move |a, b| ravel_prim::compare(op, a, b).map(PrimValue::Bool);
        cases.push(case(format!("{}(x, y)", op.name()), PrimType::Bool, ty, eval));
    }
    for to in PrimType::ALL {
        cases.push(case(format!("{to}(x)"), to, ty, move |a, _| Some(ravel_prim::convert(a, to))));
    }
    cases
}

/// A program with one segment for each case.
fn program(ty: PrimType, cases: &[Case]) -> String {
    let mut text = format!("entry \"main\" [n] (xs: block {ty} [n], ys: block {ty} [n]) -> (");
    text.push_str(&cases.iter().map(|case| format!("[]{}", case.result)).collect::<Vec<_>>().join(", "));
    text.push_str(") {\n");
    text.push_str(&format!(
        "view x1: {ty} [n] = xs + 0i64 * [1i64]\nview y1: {ty} [n] = ys + 0i64 * [1i64]\n"
    ));
    for (at, Case { text: exp, result, .. }) in cases.iter().enumerate() {
        text.push_str(&format!(
            "alloc r{at}: block {result} = n
            view s{at}: {result} [n] = r{at} + 0i64 * [1i64]
            segment map \"k{at}\" (i{at} < n) chunk 1i64 {{
              load x_{at}: {ty} = x1[i{at}]
              load y_{at}: {ty} = y1[i{at}]
              let z{at}: {result} = {}
              store s{at}[i{at}] = z{at}
            }}\n",
            exp.replace("(x", &format!("(x_{at}")).replace(", y", &format!(", y_{at}"))
        ));
    }
    let results: Vec<String> = (0..cases.len()).map(|at| format!("n, r{at}")).collect();
    text + "yield " + &results.join(", ") + "\n}"
}

/// Edge values and random ones.
fn samples(ty: PrimType) -> Vec<PrimValue> {
    let mut bits: Vec<u64> = match ty {
        PrimType::F32 => {
            let floats =
                [0.0, 0.5, 1.0, 1.5, 2.5, 3.0, 7.25, 100.0, 16_777_217.0, 2147483648.0, 4294967296.0];
            let large = [9.223372e18, 1.8446744e19, 1e38, f32::MAX, f32::INFINITY, f32::MIN_POSITIVE, 1e-40];
            floats
                .into_iter()
                .chain(large)
                .flat_map(|x| [x, -x])
                .map(|x: f32| u64::from(x.to_bits()))
                .collect()
        }
        PrimType::F64 => {
            let floats =
                [0.0, 0.5, 1.0, 1.5, 2.5, 3.0, 7.25, 100.0, 2147483647.0, 2147483648.0, 4294967296.0];
            let large = [9.223372036854776e18, 1.8446744073709552e19, 1e40, f64::MAX, f64::INFINITY, 1e-310];
            let special = [0.99999, 1.00001, 1e-9, 0.1, 0.8, 20.0, 709.5, 745.0, 99_999.5, 100_000.5, 1e22];
            // Both neighbours of a half, and values whose last digit is one.
            let halves =
                [0.49999999999999994, 16_777_217.5, 4_503_599_627_370_494.5, 4_503_599_627_370_495.5];
            let floats = floats.into_iter().chain(special).chain(halves);
            floats.into_iter().chain(large).flat_map(|x| [x, -x]).map(|x: f64| x.to_bits()).collect()
        }
        PrimType::F16 => {
            let floats = [0.0, 0.5, 1.0, 1.5, 2.5, 3.0, 7.25, 100.0, 2049.0, 65504.0, 6.1e-5, 6e-8];
            let floats = floats.into_iter().chain([f32::INFINITY]).flat_map(|x| [x, -x]);
            floats.map(|x| ravel_prim::convert(PrimValue::F32(x), ty).bits()).collect()
        }
        PrimType::Bool => vec![0, 1],
        _ => [0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 65, 100]
            .into_iter()
            .chain([8, 15, 16, 17, 127, 128, 255, 32767, 32768, 65535])
            .chain([1 << 31, (1 << 31) - 1, 1 << 63, (1 << 63) - 1])
            .flat_map(|x: u64| [x, x.wrapping_neg()])
            .collect(),
    };
    let nan = match ty {
        PrimType::F16 => Some(0x7e00),
        PrimType::F32 => Some(u64::from(f32::NAN.to_bits())),
        PrimType::F64 => Some(f64::NAN.to_bits()),
        _ => None,
    };
    bits.extend(nan);
    let mut state = 1u64;
    for _ in 0..12 {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        bits.push(match ty {
            PrimType::F32 => u64::from(((state >> 33) as f32 / 1e8 - 10.0).to_bits()),
            PrimType::F64 => ((state >> 33) as f64 / 1e8 - 10.0).to_bits(),
            _ => state >> (state >> 58),
        });
    }
    let mut values: Vec<PrimValue> = bits.into_iter().map(|bits| PrimValue::from_bits(ty, bits)).collect();
    values.dedup();
    // The device represents an f16 as an f32, which has no signalling NaN here.
    values.retain(|&value| !matches!(value, PrimValue::F16(x) if x.is_nan() && x.to_bits() & 0x200 == 0));
    values
}

fn number(value: PrimValue) -> f64 {
    match ravel_prim::convert(value, PrimType::F64) {
        PrimValue::F64(x) => x,
        _ => f64::NAN,
    }
}

/// Whether the values are equal. All NaNs are equal. So are both zeros if the operator is inexact, or a minimum or
/// maximum.
fn agree(case: &Case, given: PrimValue, expected: PrimValue) -> bool {
    if !expected.ty().is_float() {
        return given == expected;
    }
    let (g, e) = (number(given), number(expected));
    if g.is_nan() || e.is_nan() {
        return g.is_nan() && e.is_nan();
    }
    let min_or_max = case.text.starts_with("min") || case.text.starts_with("max");
    match case.tolerance {
        0.0 => given == expected || (min_or_max && g == e),
        tolerance => g == e || (g - e).abs() <= tolerance * e.abs().max(0.01),
    }
}

/// Whether the operands are in the range in which an inexact function is well defined.
fn tame(case: &Case, a: PrimValue, b: PrimValue) -> bool {
    if a.ty() == PrimType::F64 {
        return true;
    }
    let small = |value| number(value).abs() <= 20.0 && number(value).abs() >= 1e-30;
    case.tolerance == 0.0 || (small(a) && small(b))
}

fn check(ty: PrimType) {
    let cases = cases(ty);
    let program = load(&program(ty, &cases));
    let samples = samples(ty);
    let pairs: Vec<(PrimValue, PrimValue)> =
        samples.iter().flat_map(|&a| samples.iter().map(move |&b| (a, b))).collect();
    let column = |side: fn(&(PrimValue, PrimValue)) -> PrimValue| {
        let bytes: Vec<u8> = pairs
            .iter()
            .flat_map(|pair| side(pair).bits().to_le_bytes().into_iter().take(ty.bytes()))
            .collect();
        row(Data::from_bytes(ty, &bytes))
    };
    let (results, _) = call(&program, &[column(|pair| pair.0), column(|pair| pair.1)]);
    let mut wrong = Vec::new();
    for (case, result) in cases.iter().zip(&results) {
        let Value::Array(Array { data, .. }) = result else { panic!("an array") };
        let bad = pairs.iter().enumerate().find_map(|(at, &(a, b))| {
            let expected = (case.eval)(a, b)?;
            let given = data.get(at)?;
            (tame(case, a, b) && !agree(case, given, expected))
                .then(|| format!("{ty} {} on {a}, {b}: {given}, expected {expected}", case.text))
        });
        wrong.extend(bad);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn operators_on_i8() {
    check(PrimType::I8);
}

#[test]
fn operators_on_i16() {
    check(PrimType::I16);
}

#[test]
fn operators_on_i32() {
    check(PrimType::I32);
}

#[test]
fn operators_on_i64() {
    check(PrimType::I64);
}

#[test]
fn operators_on_u8() {
    check(PrimType::U8);
}

#[test]
fn operators_on_u16() {
    check(PrimType::U16);
}

#[test]
fn operators_on_u32() {
    check(PrimType::U32);
}

#[test]
fn operators_on_u64() {
    check(PrimType::U64);
}

#[test]
fn operators_on_f16() {
    check(PrimType::F16);
}

#[test]
fn operators_on_f32() {
    check(PrimType::F32);
}

#[test]
fn operators_on_f64() {
    check(PrimType::F64);
}

#[test]
fn operators_on_bool() {
    check(PrimType::Bool);
}
