//! Special values, numbers close to them, and any bits: every function in f64 against the standard library, and in f32
//! against f64.

use super::super::{binary, unary};
use crate::{BinOp, UnOp};

type Unary = (UnOp, fn(f64) -> f64);
type Binary = (BinOp, fn(f64, f64) -> f64);

/// The functions of one argument that the standard library takes from the system's library. It computes the inverse
/// hyperbolic functions by short formulas, which are less accurate.
const UNARY: [Unary; 14] = [
    (UnOp::Exp, f64::exp),
    (UnOp::Log, f64::ln),
    (UnOp::Log2, f64::log2),
    (UnOp::Log10, f64::log10),
    (UnOp::Cbrt, f64::cbrt),
    (UnOp::Sin, f64::sin),
    (UnOp::Cos, f64::cos),
    (UnOp::Tan, f64::tan),
    (UnOp::Asin, f64::asin),
    (UnOp::Acos, f64::acos),
    (UnOp::Atan, f64::atan),
    (UnOp::Sinh, f64::sinh),
    (UnOp::Cosh, f64::cosh),
    (UnOp::Tanh, f64::tanh),
];

const INVERSE_HYPERBOLIC: [UnOp; 3] = [UnOp::Asinh, UnOp::Acosh, UnOp::Atanh];

const BINARY: [Binary; 3] = [(BinOp::Pow, f64::powf), (BinOp::Atan2, f64::atan2), (BinOp::Hypot, f64::hypot)];

/// Special values of both types, of both signs.
fn special() -> Vec<f64> {
    let sizes = [
        0.0,
        5e-324,
        2.225073858507201e-308,
        f64::MIN_POSITIVE,
        f32::from_bits(1).into(),
        f32::from_bits(0x7f_ffff).into(),
        f32::MIN_POSITIVE.into(),
        1e-20,
        0.25,
        1.0 / 3.0,
        0.5,
        f64::from(1.0 - f32::EPSILON / 2.0),
        1.0 - f64::EPSILON / 2.0,
        1.0,
        1.0 + f64::EPSILON,
        f64::from(1.0 + f32::EPSILON),
        1.5,
        2.0,
        2.5,
        3.0,
        4.0,
        88.0,
        89.0,
        104.0,
        709.0,
        8_388_607.5,
        8_388_609.0,
        16_777_215.0,
        16_777_216.0,
        4_503_599_627_370_495.5,
        9_007_199_254_740_991.0,
        1e20,
        f32::MAX.into(),
        f64::MAX,
        f64::INFINITY,
    ];
    let turns = (1..9).flat_map(|eighths| {
        let angle = f64::from(eighths) * std::f64::consts::FRAC_PI_4;
        [angle, f64::from(angle as f32)]
    });
    let sizes: Vec<f64> = sizes.into_iter().chain(turns).collect();
    sizes.iter().flat_map(|&size| [size, -size]).chain([f64::NAN]).collect()
}

/// Numbers of all magnitudes, and of those in which the functions are used.
fn numbers(count: usize) -> impl Iterator<Item = f64> {
    let mut state = 7_u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state ^ state >> 32
    };
    (0..count).map(move |number| match number % 4 {
        0 => f32::from_bits(next() as u32).into(),
        1 => f64::from(next() as u32) / f64::from(1 << 24) - 128.0,
        2 => f64::from(next() as u32) / f64::from(1 << 30) - 2.0,
        _ => 1.0 + f64::from(next() as i32) * 0.5_f64.powi(31 + (number % 24) as i32),
    })
}

/// The difference in units in the last place of an f32; infinite unless NaN, zeros, infinities and signs agree.
fn error_single(computed: f32, exact: f64) -> f64 {
    let nearest = exact as f32;
    if computed.is_nan() && nearest.is_nan()
        || computed.to_bits() == nearest.to_bits() && !nearest.is_finite()
    {
        return 0.0;
    }
    if !computed.is_finite()
        || !nearest.is_finite()
        || computed.is_sign_negative() != exact.is_sign_negative()
    {
        return f64::INFINITY;
    }
    (f64::from(computed) - exact).abs() / unit(nearest)
}

/// The distance of a number from the next one.
fn unit(number: f32) -> f64 {
    let size = f64::from(number.abs().min(f32::MAX));
    2.0_f64.powi((size.log2().floor() as i32).max(-126) - 23)
}

/// Whether two results are the same but for two units in the last place.
fn is_close(computed: f64, expected: f64) -> bool {
    let are_nan = computed.is_nan() && expected.is_nan();
    are_nan
        || computed.is_sign_negative() == expected.is_sign_negative()
            && computed.to_bits().abs_diff(expected.to_bits()) <= 2
}

#[test]
fn functions_in_f64_agree_with_the_standard_library() {
    for (op, expected) in UNARY {
        for x in special() {
            let (computed, expected) = (unary(op, x).unwrap(), expected(x));
            assert!(is_close(computed, expected), "{} {x:e}: {computed:e}, not {expected:e}", op.name());
        }
    }
    for (op, expected) in BINARY {
        for x in special() {
            for y in special() {
                let (computed, expected) = (binary(op, x, y).unwrap(), expected(x, y));
                let name = op.name();
                assert!(is_close(computed, expected), "{name} {x:e} {y:e}: {computed:e}, not {expected:e}");
            }
        }
    }
}

#[test]
fn functions_in_f32_are_as_accurate_as_stated() {
    for op in UNARY.map(|(op, _)| op).into_iter().chain(INVERSE_HYPERBOLIC) {
        let bound = if matches!(op, UnOp::Exp | UnOp::Log) { 1.0 } else { 2.0 };
        for x in special().into_iter().chain(numbers(40_000)).map(|x| x as f32) {
            let (computed, exact) = (unary(op, x).unwrap(), unary(op, f64::from(x)).unwrap());
            let error = error_single(computed, exact);
            assert!(error <= bound, "{} {x:e}: {computed:e}, not {exact:e}: {error} ulp", op.name());
        }
    }
    for (op, _) in BINARY {
        let check = |x: f32, y: f32| {
            let computed = binary(op, x, y).unwrap();
            let exact = binary(op, f64::from(x), f64::from(y)).unwrap();
            let error = error_single(computed, exact);
            assert!(error <= 2.0, "{} {x:e} {y:e}: {computed:e}, not {exact:e}: {error} ulp", op.name());
        };
        for x in special() {
            special().into_iter().for_each(|y| check(x as f32, y as f32));
        }
        let others = numbers(40_000).skip(1);
        numbers(40_000).zip(others).for_each(|(x, y)| check(x as f32, y as f32));
    }
}
