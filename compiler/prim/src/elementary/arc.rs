//! The inverse circular functions.

use super::error_free::{fast_difference, fast_sum, polynomial_of, root_rest};
use super::real::Real;

/// `atan t = t + t^3 P(t^2)` for `|t| <= 1/2`, with an error of less than 2^-57.
const ARCTANGENT: [f64; 12] = [
    -0.33333333333332993,
    0.19999999999905635,
    -0.14285714276589323,
    0.11111110667811934,
    -0.09090896435601774,
    0.07692076714352061,
    -0.06663837561038824,
    0.058584712341283214,
    -0.05122732164600433,
    0.04188443154111023,
    -0.027464646380857945,
    0.010136731481096405,
];

/// [`ARCTANGENT`] for f32, with an error of less than 2^-27.
const ARCTANGENT_SINGLE: [f64; 6] = [
    -0.333333283662796,
    0.19999489188194275,
    -0.1427207887172699,
    0.10940982401371002,
    -0.07984063029289246,
    0.03872324526309967,
];

/// `asin t = t + t^3 P(t^2)` for `|t| <= 1/2`, with an error of less than 2^-58.
const ARCSINE: [f64; 13] = [
    0.16666666666666763,
    0.07499999999970261,
    0.04464285717512216,
    0.030381942683556575,
    0.022372215661889815,
    0.01735160006506296,
    0.013980961757523514,
    0.011397773561446155,
    0.010786542410136555,
    0.0036829918898724097,
    0.021763621061024998,
    -0.021077465624592704,
    0.032676999059574316,
];

/// [`ARCSINE`] for f32, with an error of less than 2^-29.
const ARCSINE_SINGLE: [f64; 6] = [
    0.16666659712791443,
    0.07500503957271576,
    0.04451695457100868,
    0.03180771693587303,
    0.01443859189748764,
    0.037516482174396515,
];

/// pi/4 as a sum; the products of the first part with 2, 3 and 4 are exact.
#[inline(always)]
fn eighth<R: Real>() -> (R, R) {
    (
        R::pick(std::f64::consts::FRAC_PI_4, 0.785398006439209),
        R::pick(3.061616997868383e-17, 1.5695823663008923e-07),
    )
}

/// The angle, not negative, of a point. The coordinates are not negative, but the first one may count as such.
///
/// The tangent of the angle to the nearer axis is a quotient `b / a` of at most 1. If it is 1/2 or more, the angle to
/// the diagonal is smaller: its tangent is `(b - a) / (b + a)`, and the difference is exact.
#[inline(always)]
fn angle<R: Real>(x: R, y: R, x_is_negative: R::Truth) -> R {
    let [zero, one] = [0.0, 1.0].map(R::number);
    let is_steep = x.less(y);
    let (a, b) = (R::select(is_steep, y, x), R::select(is_steep, x, y));
    let is_same = a.equals(b);
    let is_diagonal = zero.less(b) & !b.less(a * R::number(0.5));
    let (sum, error) = fast_sum(a, b);
    let over = R::select(is_diagonal, b - a, b);
    let under = R::select(is_diagonal, sum, a);
    let error = R::select(is_diagonal, error, zero);
    // Two infinities, or two zeros, have no quotient.
    let over = R::select(is_same, zero, over);
    let under = R::select(is_same, one, under);
    let error = R::select(is_same, zero, error);
    let near = over / under;
    let square = near * near;
    let rest = near * (square * polynomial_of(square, &ARCTANGENT, &ARCTANGENT_SINGLE) - error / under);
    // From here on, the angle is a number of eighths of a turn and the rest, or minus the rest.
    let turn = |cond: R::Truth, whole: f64, (eighths, near, rest): (R, R, R)| {
        let select = |yes, no| R::select(cond, yes, no);
        (select(R::number(whole) - eighths, eighths), select(-near, near), select(-rest, rest))
    };
    let first = (R::select(is_diagonal, one, zero), near, rest);
    let (eighths, near, rest) = turn(x_is_negative, 4.0, turn(is_steep, 2.0, first));
    let (eighth, eighth_rest) = eighth::<R>();
    eighths * eighth + (near + (rest + eighths * eighth_rest))
}

/// The inverse tangent.
#[inline(always)]
pub fn atan<R: Real>(x: R) -> R {
    let one = R::number(1.0);
    // No absolute value is negative.
    angle(one, x.abs(), x.abs().less(R::number(0.0))).with_sign_of(x)
}

/// The angle of the point (x, y), between -pi and pi.
#[inline(always)]
pub fn atan2<R: Real>(y: R, x: R) -> R {
    // The sum of large coordinates would be infinite.
    let large = R::pick(1e300, 1e37);
    let is_large = large.less(x.abs()) | large.less(y.abs());
    let scale = R::select(is_large, R::pick(7.888609052210118e-31, 5.960464477539063e-08), R::number(1.0));
    let is_negative = R::number(1.0).with_sign_of(x).less(R::number(0.0));
    angle(x.abs() * scale, y.abs() * scale, is_negative).with_sign_of(y)
}

/// For the size of an argument: whether it is more than 1/2; a number `t`; `asin t - t`; and the rounding error of `t`.
/// `t` is the size, or if that is more than 1/2, the square root of half its distance from 1.
#[inline(always)]
fn half<R: Real>(size: R) -> (R::Truth, R, R, R) {
    let is_large = R::number(0.5).less(size);
    let square = R::select(is_large, (R::number(1.0) - size) * R::number(0.5), size * size);
    let root = square.sqrt();
    let t = R::select(is_large, root, size);
    (
        is_large,
        t,
        t * square * polynomial_of(square, &ARCSINE, &ARCSINE_SINGLE),
        root_rest(root, square, R::number(0.0)),
    )
}

/// The inverse sine.
#[inline(always)]
pub fn asin<R: Real>(x: R) -> R {
    let (is_large, t, more, rest) = half(x.abs());
    let (eighth, eighth_rest) = eighth::<R>();
    let two = R::number(2.0);
    let (near, error) = fast_difference(two * eighth, two * t);
    let large = near + (error + two * (eighth_rest - (more + rest)));
    R::select(is_large, large, t + more).with_sign_of(x)
}

/// The inverse cosine.
#[inline(always)]
pub fn acos<R: Real>(x: R) -> R {
    let (is_large, t, more, rest) = half(x.abs());
    let (eighth, eighth_rest) = eighth::<R>();
    let [two, zero] = [2.0, 0.0].map(R::number);
    let is_negative = x.less(zero);
    // The angle is 0, 1 or 2 quarter turns and the angle `t + more`, once or twice, with a sign.
    let quarters = R::select(is_large, R::select(is_negative, two, zero), R::number(1.0));
    let times = R::select(is_large, two, R::number(1.0));
    let away = R::select(is_large, is_negative_number(is_negative), is_negative_number(!is_negative));
    let times = times * away;
    let more = more + R::select(is_large, rest, zero);
    let (near, error) = fast_sum(quarters * (two * eighth), times * t);
    near + (error + (times * more + quarters * (two * eighth_rest)))
}

/// -1 or 1.
#[inline(always)]
fn is_negative_number<R: Real>(is_negative: R::Truth) -> R {
    R::select(is_negative, R::number(-1.0), R::number(1.0))
}
