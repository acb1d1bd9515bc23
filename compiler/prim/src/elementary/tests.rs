#![allow(clippy::approx_constant, reason = "arguments and results as the reference prints them")]

mod ordinary;
mod special;

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use super::{binary, sine_and_cosine, unary};
use crate::{BinOp, UnOp};

/// The distance of two numbers in units in the last place; 0 if they are equal.
fn distance(a: f64, b: f64) -> u64 {
    if a.is_sign_negative() != b.is_sign_negative() { u64::MAX } else { a.to_bits().abs_diff(b.to_bits()) }
}

fn distance_single(a: f32, b: f32) -> u32 {
    if a.is_sign_negative() != b.is_sign_negative() { u32::MAX } else { a.to_bits().abs_diff(b.to_bits()) }
}

fn apply(op: UnOp, x: f64) -> f64 {
    unary(op, x).unwrap()
}

/// Arguments with their correctly rounded results, computed by MPFR. At some of the arguments, `docs/accuracy.md`
/// reports the largest error. Others lie on either side of a threshold in the definition of the function.
const VALUES: &[(UnOp, &[(f64, f64)])] = &[
    (
        UnOp::Exp,
        &[
            (1.0, 2.718281828459045),
            (-0.3, 0.7408182206817179),
            (0.34657, 1.4142084849595797),
            (88.5, 2.7230878250681117e+38),
            (-708.9811626129215, 1.239918968186038e-308),
            (709.7, 1.6549840276802644e+308),
            (-744.9, 5e-324),
        ],
    ),
    (
        UnOp::Log,
        &[
            (0.6339886538017724, -0.45572422091676573),
            (1.0000001, 9.999999505838704e-08),
            (1.4142135, 0.3465735461755332),
            (2.0, 0.6931471805599453),
            (5e-324, -744.4400719213812),
            (1.7e+308, 709.7268368932282),
        ],
    ),
    (
        UnOp::Log2,
        &[
            (0.7, -0.5145731728297583),
            (1.0000001, 1.4426949695965583e-07),
            (1.407819042417704, 0.4934619054352249),
            (3.0, 1.584962500721156),
            (5e-324, -1074.0),
        ],
    ),
    (
        UnOp::Log10,
        &[
            (0.6, -0.2218487496163564),
            (1.0000001, 4.3429446044209946e-08),
            (1.4172643673041843, 0.15145086828025953),
            (1000.0, 3.0),
            (5e-324, -323.3062153431158),
        ],
    ),
    (
        UnOp::Cbrt,
        &[
            (2.0, 1.2599210498948732),
            (-27.0, -3.0),
            (-8.609652700332264e-104, -4.4156557816776273e-35),
            (5e-324, 1.7031839360032603e-108),
            (1.7e+308, 5.539658256754465e+102),
        ],
    ),
    (
        UnOp::Sin,
        &[
            (1e-09, 1e-09),
            (0.7853981633974483, 0.7071067811865475),
            (-10.5, 0.87969575997167),
            (3.14159, 2.65358979335273e-06),
            (100000.0, 0.03574879797201651),
        ],
    ),
    (
        UnOp::Cos,
        &[
            (1e-09, 1.0),
            (0.7853981633974483, 0.7071067811865476),
            (-10.5, -0.4755369279959925),
            (1.57079, 6.326794896668469e-06),
            (100000.0, -0.9993608074382124),
        ],
    ),
    (
        UnOp::Tan,
        &[
            (1e-09, 1e-09),
            (0.7853981633974483, 0.9999999999999999),
            (-10.5, -1.8498999934219273),
            (1.57079, 158057.9134162482),
            (63855.23506211102, -0.9837656731613922),
        ],
    ),
    (
        UnOp::Asin,
        &[
            (1e-09, 1e-09),
            (0.4999, 0.5234833093929496),
            (0.5001, 0.5237142495016518),
            (-0.9999999, -1.5703491131957876),
            (0.5533442463836105, 0.5863738382257401),
        ],
    ),
    (
        UnOp::Acos,
        &[
            (1e-09, 1.5707963257948967),
            (-0.4999, 2.094279636187846),
            (0.5001, 1.0470820772932448),
            (-0.9999999, 3.141145439990684),
            (0.9999999, 0.00044721359910904126),
        ],
    ),
    (
        UnOp::Atan,
        &[
            (1e-09, 1e-09),
            (0.4999, 0.4635676058008488),
            (0.5522599522261622, 0.5045766430599224),
            (-2.0001, -1.1071687169941198),
            (1e+300, 1.5707963267948966),
        ],
    ),
    (
        UnOp::Sinh,
        &[
            (1e-09, 1e-09),
            (-0.9999, -1.1750468914560688),
            (1.0001, 1.175355507583546),
            (22.5, 2955261031.5116453),
            (710.4, 1.6663642832806496e+308),
        ],
    ),
    (
        UnOp::Cosh,
        &[
            (1e-09, 1.0),
            (-0.9999, 1.5429631224110867),
            (3.8972876942048957, 24.644466498834042),
            (22.5, 2955261031.5116453),
            (710.4, 1.6663642832806496e+308),
        ],
    ),
    (
        UnOp::Tanh,
        &[
            (1e-09, 1e-09),
            (-0.05952006281620048, -0.059449876263068746),
            (0.5, 0.46211715726000974),
            (3.0, 0.9950547536867305),
            (-21.0, -1.0),
        ],
    ),
    (
        UnOp::Asinh,
        &[
            (1e-09, 1e-09),
            (-0.3, -0.29567304756342244),
            (1.1691716405124257, 0.996086700813099),
            (300000000.0, 20.21244021318042),
            (1.7e+308, 710.4199840737882),
        ],
    ),
    (
        UnOp::Acosh,
        &[
            (1.0000000001, 1.4142136208675862e-05),
            (1.5, 0.9624236501192069),
            (2.7, 1.650193454979475),
            (300000000.0, 20.21244021318042),
            (1.7e+308, 710.4199840737882),
        ],
    ),
    (
        UnOp::Atanh,
        &[
            (1e-09, 1e-09),
            (-0.11376433123909568, -0.11425896959599356),
            (0.5, 0.5493061443340549),
            (0.9999, 4.951718775643099),
            (-0.9999999999, -11.859499013855018),
        ],
    ),
];

const VALUES_OF_TWO: &[(BinOp, &[(f64, f64, f64)])] = &[
    (
        BinOp::Pow,
        &[
            (1.4160168327544926, -587.87927117526, 1.5488511952846165e-89),
            (0.9999999, 500000000.0, 1.9287450768553208e-22),
            (2.8306773261117892, -519.934348001435, 1.1134663185838135e-235),
            (5e-324, 0.5, 2.2227587494850775e-162),
            (10.0, -308.0, 1e-308),
            (-1.5, 3.0, -3.375),
        ],
    ),
    (
        BinOp::Atan2,
        &[
            (1.0, 2.0001, 0.4636276098007767),
            (-1.0050114847264249, 3.960364818288915, -0.2485212965842381),
            (3.0, -1.0, 1.892546881191539),
            (-1e+308, -1.5e+308, -2.5535900500422257),
            (5e-324, 1.0, 5e-324),
        ],
    ),
    (
        BinOp::Hypot,
        &[
            (3.0, 4.0, 5.0),
            (1e+308, 1e+308, 1.4142135623730951e+308),
            (5e-324, 5e-324, 5e-324),
            (-0.4175288563329991, -2.851549873196614, 2.881955416934545),
        ],
    ),
];

#[test]
fn values_are_within_one_ulp_of_the_reference() {
    for &(op, values) in VALUES {
        for &(x, expected) in values {
            let computed = apply(op, x);
            assert!(distance(computed, expected) <= 1, "{} {x}: {computed}, not {expected}", op.name());
        }
    }
    for &(op, values) in VALUES_OF_TWO {
        for &(x, y, expected) in values {
            let computed = binary(op, x, y).unwrap();
            assert!(distance(computed, expected) <= 1, "{} {x} {y}: {computed}, not {expected}", op.name());
        }
    }
}

/// For an f32, the value in f64 is as good as exact.
#[test]
fn values_in_f32_are_within_one_ulp_of_those_in_f64() {
    let check = |computed: f32, exact: f64, what: &str| {
        assert!(distance_single(computed, exact as f32) <= 1, "{what}: {computed}, not {exact}");
    };
    for &(op, values) in VALUES {
        for x in values.iter().flat_map(|&(x, _)| [x, 0.9 * x]).map(|x| x as f32) {
            check(unary(op, x).unwrap(), apply(op, x.into()), op.name());
        }
    }
    for &(op, values) in VALUES_OF_TWO {
        for (x, y) in values.iter().map(|&(x, y, _)| (x as f32, y as f32)) {
            check(binary(op, x, y).unwrap(), binary(op, x.into(), y.into()).unwrap(), op.name());
        }
    }
}

/// A function gives NaN for NaN and for arguments outside its domain. At the ends of the domain it gives the exact
/// value, with the right sign.
#[test]
fn ends_of_domains() {
    use UnOp::*;
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    // The values at 0, -0, infinity and minus infinity; also at 2 and at -2, if they are outside the domain.
    let ends = [
        (Exp, 1.0, 1.0, inf, 0.0, None, None),
        (Log, -inf, -inf, inf, nan, None, Some(nan)),
        (Log2, -inf, -inf, inf, nan, None, Some(nan)),
        (Log10, -inf, -inf, inf, nan, None, Some(nan)),
        (Cbrt, 0.0, -0.0, inf, -inf, None, None),
        (Sin, 0.0, -0.0, nan, nan, None, None),
        (Cos, 1.0, 1.0, nan, nan, None, None),
        (Tan, 0.0, -0.0, nan, nan, None, None),
        (Asin, 0.0, -0.0, nan, nan, Some(nan), Some(nan)),
        (Acos, FRAC_PI_2, FRAC_PI_2, nan, nan, Some(nan), Some(nan)),
        (Atan, 0.0, -0.0, FRAC_PI_2, -FRAC_PI_2, None, None),
        (Sinh, 0.0, -0.0, inf, -inf, None, None),
        (Cosh, 1.0, 1.0, inf, inf, None, None),
        (Tanh, 0.0, -0.0, 1.0, -1.0, None, None),
        (Asinh, 0.0, -0.0, inf, -inf, None, None),
        (Acosh, nan, nan, inf, nan, None, Some(nan)),
        (Atanh, 0.0, -0.0, nan, nan, Some(nan), Some(nan)),
    ];
    for (op, zero, minus_zero, infinity, minus_infinity, two, minus_two) in ends {
        let more = [two.map(|end| (2.0, end)), minus_two.map(|end| (-2.0, end))];
        let all = [(0.0, zero), (-0.0, minus_zero), (inf, infinity), (-inf, minus_infinity), (nan, nan)];
        for (x, end) in all.into_iter().chain(more.into_iter().flatten()) {
            let (computed, single) = (apply(op, x), unary(op, x as f32).unwrap());
            let what = format!("{} {x}: {computed} and {single}, not {end}", op.name());
            if end.is_nan() {
                assert!(computed.is_nan() && single.is_nan(), "{what}");
            } else {
                assert_eq!(
                    (computed.to_bits(), single.to_bits()),
                    (end.to_bits(), (end as f32).to_bits()),
                    "{what}"
                );
            }
        }
    }
    for (op, x, end) in [(Acos, 1.0, 0.0), (Acos, -1.0, PI), (Asin, -1.0, -FRAC_PI_2), (Atanh, -1.0, -inf)] {
        assert_eq!(apply(op, x), end, "{} {x}", op.name());
    }
    for (op, x, end) in [(Log, 1.0, 0.0), (Acosh, 1.0, 0.0), (Exp, -800.0, 0.0), (Exp, 800.0, inf)] {
        assert_eq!(apply(op, x).to_bits(), f64::to_bits(end), "{} {x}", op.name());
    }
}

/// The result is exact, also for subnormal arguments.
#[test]
fn odd_functions_are_the_identity_near_0() {
    for op in [UnOp::Sin, UnOp::Tan, UnOp::Asin, UnOp::Atan, UnOp::Sinh, UnOp::Tanh, UnOp::Asinh, UnOp::Atanh]
    {
        for x in [5e-324, -1e-310, 2.2e-308, -1e-200, 1e-20] {
            assert_eq!(apply(op, x), x, "{}", op.name());
        }
    }
}

/// Every special case that IEEE 754 lists for `pow`, and large exponents close to each other, of which some are
/// odd integers and some are not.
#[test]
fn exceptional_powers() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let largest_odd = 9_007_199_254_740_991.0;
    let cases = [
        (nan, 0.0, 1.0),
        (1.0, nan, 1.0),
        (nan, 1.0, nan),
        (2.0, nan, nan),
        (0.0, 3.0, 0.0),
        (-0.0, 3.0, -0.0),
        (-0.0, 2.0, 0.0),
        (-0.0, 2.5, 0.0),
        (-0.0, -3.0, -inf),
        (-0.0, -2.0, inf),
        (0.0, -5e-324, inf),
        (0.0, 5e-324, 0.0),
        (-1.0, inf, 1.0),
        (-1.0, -inf, 1.0),
        (0.5, inf, 0.0),
        (0.5, -inf, inf),
        (-2.0, inf, inf),
        (-2.0, -inf, 0.0),
        (inf, 0.5, inf),
        (inf, -0.5, 0.0),
        (-inf, 3.0, -inf),
        (-inf, 2.0, inf),
        (-inf, 2.5, inf),
        (-inf, -3.0, -0.0),
        (-inf, -2.0, 0.0),
        (-8.0, 1.0 / 3.0, nan),
        (-1.0, largest_odd, -1.0),
        (-1.0, largest_odd + 1.0, 1.0),
        (-1.0, 4_503_599_627_370_497.0, -1.0),
        (-1.0, 4_503_599_627_370_495.5, nan),
        (-1.0, 1e300, 1.0),
        (2.0, 1024.0, inf),
        (2.0, -1074.0, 5e-324),
        (2.0, -1075.5, 0.0),
        (-2.0, -1077.0, -0.0),
        (1.0 + f64::EPSILON, 1e300, inf),
        (3.0, 1.0, 3.0),
    ];
    for (x, y, expected) in cases {
        let computed = binary(BinOp::Pow, x, y).unwrap();
        let same = computed.to_bits() == expected.to_bits() || computed.is_nan() && expected.is_nan();
        assert!(same, "{x} ** {y}: {computed}, not {expected}");
    }
}

#[test]
fn angles_of_points_on_the_axes_and_at_infinity() {
    let inf = f64::INFINITY;
    let cases = [
        (0.0, 1.0, 0.0),
        (0.0, 0.0, 0.0),
        (0.0, -0.0, PI),
        (0.0, -1.0, PI),
        (1.0, 0.0, FRAC_PI_2),
        (1.0, -0.0, FRAC_PI_2),
        (1.0, 1.0, FRAC_PI_4),
        (1.0, -1.0, 3.0 * FRAC_PI_4),
        (1.0, inf, 0.0),
        (1.0, -inf, PI),
        (inf, 1.0, FRAC_PI_2),
        (inf, inf, FRAC_PI_4),
        (inf, -inf, 3.0 * FRAC_PI_4),
        (5e-324, 1e308, 0.0),
    ];
    for (y, x, expected) in cases {
        for sign in [1.0, -1.0] {
            let (y, expected) = (sign * y, sign * expected);
            let computed = binary(BinOp::Atan2, y, x).unwrap();
            assert_eq!(
                computed.to_bits(),
                f64::to_bits(expected),
                "atan2 {y} {x}: {computed}, not {expected}"
            );
        }
    }
    for (y, x) in [(f64::NAN, 1.0), (1.0, f64::NAN)] {
        assert!(binary(BinOp::Atan2, y, x).unwrap().is_nan());
        assert_eq!(binary(BinOp::Hypot, inf * y.signum(), x).map(f64::is_nan), Some(y.is_nan()));
    }
    assert_eq!(binary(BinOp::Hypot, f64::NAN, -inf), Some(inf));
    assert!(binary(BinOp::Hypot, f64::NAN, 1.0).unwrap().is_nan());
}

/// Angles with their sines, cosines and tangents from MPFR. Each angle is the closest to a multiple of a quarter
/// turn among the numbers of its magnitude.
const NEAREST: [(f64, f64, f64, f64); 9] = [
    (5.319372648326541e255, 1.0, -4.687165924254628e-19, -2.133485385753704e18),
    (1.5986289000543612e74, -1.0, -4.796584752012325e-18, 2.0848167012590928e17),
    (-1.2853022199154463e174, 4.970732575237069e-18, -1.0, -4.970732575237069e-18),
    (3.576149729694266e39, -1.0, -1.8208566377382172e-18, 5.4919205569206874e17),
    (563416747700.2246, 1.0, 1.5011223641895818e-17, 6.661682111037462e16),
    (3.924293714572882e298, 1.0, 2.0149386674952238e-18, 4.962930217836868e17),
    (-8.499364406047677e35, -1.0, 9.02308836997671e-17, -1.1082679887380746e16),
    (3.8176263899922184e209, 1.0692860596545141e-16, -1.0, -1.0692860596545141e-16),
    (14461176.67027838, -1.0, -1.6985038298986004e-18, 5.88753456069451e17),
];

#[test]
fn angles_closest_to_quarter_turns_are_accurate() {
    for (angle, sine, cosine, tangent) in NEAREST {
        let both = sine_and_cosine(angle);
        assert_eq!(both, (apply(UnOp::Sin, angle), apply(UnOp::Cos, angle)));
        for (computed, expected) in [(both.0, sine), (both.1, cosine), (apply(UnOp::Tan, angle), tangent)] {
            assert!(distance(computed, expected) <= 1, "of {angle:e}: {computed:e}, not {expected:e}");
        }
    }
}

/// The standard library is accurate enough to compare with, except at angles close to multiples of a quarter turn.
#[test]
fn large_angles_agree_with_the_standard_library() {
    let mut angle: f64 = 1.1e5;
    for _ in 0..1000 {
        angle *= -1.9;
        let ops = [(UnOp::Sin, angle.sin()), (UnOp::Cos, angle.cos()), (UnOp::Tan, angle.tan())];
        for (op, expected) in ops {
            let computed = apply(op, angle);
            assert!(
                distance(computed, expected) <= 3,
                "{} {angle:e}: {computed:e}, not {expected:e}",
                op.name()
            );
        }
        let single = angle as f32;
        if single.is_finite() {
            let computed = unary(UnOp::Sin, single).unwrap();
            assert!(
                distance_single(computed, f64::from(single).sin() as f32) <= 1,
                "sin {single:e}: {computed:e}"
            );
        }
    }
    assert!(angle.is_finite() && angle.abs() > 1e280, "{angle:e}");
}
