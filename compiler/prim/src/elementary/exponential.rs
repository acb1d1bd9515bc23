//! The exponential function, and the hyperbolic functions, which follow from it.
//!
//! `x = k * ln 2 + r`, where `k` is an integer and `|r|` at most `ln 2 / 2`; so `exp x = 2^k * exp r`. `k * ln 2` is
//! subtracted in two parts, of which the first is exact (Cody and Waite, Software Manual for the Elementary
//! Functions, 1980). `exp r` is the sum of `1 + r`, which is kept with its rounding error, and a polynomial.

use super::error_free::{fast_sum, polynomial_of, quotient, sum};
use super::real::{Bits, OrdinaryValue, Real};

/// `exp r = 1 + r + r^2/2 + r^3 P(r)` for `|r| <= ln 2 / 2`, with an error of less than 2^-57 of `exp r`.
const SERIES: [f64; 9] = [
    0.16666666666666433,
    0.041666666666604,
    0.008333333333499912,
    0.0013888888926778518,
    0.0001984126946643757,
    2.4801508706846553e-05,
    2.755764072918324e-06,
    2.762517644100668e-07,
    2.4978402442462383e-08,
];

/// [`SERIES`] for results in f32, with an error of less than 2^-27.
const SERIES_SINGLE: [f64; 4] =
    [0.16666534543037415, 0.041667237877845764, 0.008367476053535938, 0.0013863787753507495];

/// `sinh x = x + x^3 P(x^2)` for `|x| <= 1`, with an error of less than 2^-56.
const SINH_SERIES: [f64; 7] = [
    0.16666666666666669,
    0.008333333333333139,
    0.00019841269841437678,
    2.7557319155337366e-06,
    2.505212339848425e-08,
    1.6057240346191396e-10,
    7.759312070583552e-13,
];

/// [`SINH_SERIES`] for f32, with an error of less than 2^-27.
const SINH_SERIES_SINGLE: [f64; 4] =
    [0.1666666716337204, 0.008333349600434303, 0.0001983615948120132, 2.8169513370812638e-06];

/// The natural logarithm of 2 as a sum. The first part has so few digits that its products with exponents are exact.
#[inline(always)]
pub fn ln_2<R: Real>() -> (R, R) {
    (R::pick(0.6931471803691238, 0.693145751953125), R::pick(1.9082149292705877e-10, 1.428606765330187e-06))
}

/// `1 + r + early + rest` is the exponential function of `x + more`, divided by 2^k.
struct Reduced<R: Real> {
    r: R,
    early: R,
    rest: R,
    /// `k` plus twice the bias of exponents, which is positive.
    exponent: R::Bits,
}

impl<R: Real> Reduced<R> {
    /// The parts for a number between -2^10 and 2^10 with a small correction.
    #[inline(always)]
    fn new(x: R, more: R) -> Reduced<R> {
        let (ln_2, ln_2_rest) = ln_2::<R>();
        let shift = R::pick(6755399441055744.0, 12582912.0);
        let shifted = x * R::pick(std::f64::consts::LOG2_E, std::f32::consts::LOG2_E.into()) + shift;
        let k = shifted - shift;
        let r = x - k * ln_2;
        let less = k * ln_2_rest - more;
        let near = r - less;
        let square = near * near;
        let rest = square * near * polynomial_of(near, &SERIES, &SERIES_SINGLE);
        let early = square * R::number(0.5) - less;
        // The low bits of `shifted` are those of `k`.
        let twice_the_bias = if R::IS_SINGLE { 0x4b40_0000 - 254 } else { 0x4338_0000_0000_0000 - 2046 };
        let exponent = shifted.to_bits() - R::Bits::number(twice_the_bias);
        Reduced { r, early, rest, exponent }
    }

    /// The sum as the nearest number and the rest.
    #[inline(always)]
    fn sum(&self) -> (R, R) {
        let (one, error) = fast_sum(R::number(1.0), self.r);
        fast_sum(one, (error + self.early) + self.rest)
    }

    /// The exponential function divided by 2^k.
    #[inline(always)]
    fn mantissa(&self) -> R {
        let (one, error) = fast_sum(R::number(1.0), self.r);
        one + ((error + self.early) + self.rest)
    }

    /// Two powers of two whose product is 2^k, which may be subnormal or infinite.
    #[inline(always)]
    fn powers(&self) -> (R, R) {
        let digits = if R::IS_SINGLE { 23 } else { 52 };
        let first = self.exponent.shift_right(1);
        let second = self.exponent - first;
        (R::from_bits(first.shift_left(digits)), R::from_bits(second.shift_left(digits)))
    }
}

/// The exponential function.
#[inline(always)]
pub fn exp<R: Real>(x: R) -> R {
    exp_sum(x, R::number(0.0))
}

/// The exponential function of a number with a small correction.
#[inline(always)]
pub fn exp_sum<R: Real>(x: R, more: R) -> R {
    let (least, most) = (R::pick(-746.0, -104.5), R::pick(710.0, 89.0));
    let x = R::select(most.less(x), most, x);
    let x = R::select(x.less(least), least, x);
    let reduced = Reduced::new(x, more);
    let (first, second) = reduced.powers();
    reduced.mantissa() * first * second
}

/// [`exp_sum`] where the result is neither subnormal nor infinite.
#[inline(always)]
pub fn ordinary_exp_sum<R: Real>(x: R, more: R) -> OrdinaryValue<R> {
    let reduced = Reduced::new(x, more);
    let digits = if R::IS_SINGLE { 23 } else { 52 };
    let bias = R::Bits::number(if R::IS_SINGLE { 127 } else { 1023 });
    let power = R::from_bits((reduced.exponent - bias).shift_left(digits));
    OrdinaryValue { applies: x.abs().less(R::pick(708.0, 87.0)), value: reduced.mantissa() * power }
}

/// Half the exponential function of a number from 0 to 711, or to 90 in f32, as the nearest number and the rest.
#[inline(always)]
fn half_exp<R: Real>(x: R) -> (R, R) {
    let reduced = Reduced::new(x, R::number(0.0));
    let (near, rest) = reduced.sum();
    let (first, second) = reduced.powers();
    let first = first * R::number(0.5);
    (near * first * second, rest * first * second)
}

/// The hyperbolic sine.
#[inline(always)]
pub fn sinh<R: Real>(x: R) -> R {
    let size = x.abs();
    let most = R::pick(711.0, 90.0);
    let (half, rest) = half_exp(R::select(most.less(size), most, size));
    let other = R::number(0.25) / half;
    let large = (half - other) + rest * (R::number(1.0) + R::number(4.0) * other * other);
    let square = size * size;
    let small = size + size * square * polynomial_of(square, &SINH_SERIES, &SINH_SERIES_SINGLE);
    R::select(size.less(R::number(1.0)), small, large).with_sign_of(x)
}

/// The hyperbolic cosine.
#[inline(always)]
pub fn cosh<R: Real>(x: R) -> R {
    let size = x.abs();
    let most = R::pick(711.0, 90.0);
    let (half, rest) = half_exp(R::select(most.less(size), most, size));
    let other = R::number(0.25) / half;
    (half + other) + rest * (R::number(1.0) - R::number(4.0) * other * other)
}

/// The hyperbolic tangent: `(e - 1) / (e + 1)`, where `e` is the exponential function of `2 * x`.
#[inline(always)]
pub fn tanh<R: Real>(x: R) -> R {
    let one = R::number(1.0);
    let twice = x.abs() * R::number(2.0);
    let most = R::number(44.0);
    let reduced = Reduced::new(R::select(most.less(twice), most, twice), R::number(0.0));
    let (first, second) = reduced.powers();
    let power = first * second;
    // `e - 1` is the sum of `power - 1` and the products of `power`, so that nothing is lost where it is small.
    let (near, error) = fast_sum(power - one, power * reduced.r);
    let (near, rest) = fast_sum(near, error + power * (reduced.early + reduced.rest));
    let (under, under_rest) = sum(R::number(2.0), near);
    quotient((near, rest), (under, under_rest + rest)).with_sign_of(x)
}
