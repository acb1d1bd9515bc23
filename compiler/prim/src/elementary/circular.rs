//! Sine, cosine and tangent.
//!
//! An angle is a number of quarter turns and a rest, which is at most half a quarter turn, with a correction (`angle`).
//! The sine and the cosine of the rest are polynomials. The number of quarter turns modulo 4 says which of the two is
//! the result, and its sign.

use super::angle::{ReducedAngle, reduced_angle};
use super::error_free::{fast_difference, fast_sum, polynomial_of, quotient};
use super::real::{Angle, Bits, Real};

/// `sin r = r + r^3 P(r^2)` for `|r| <= pi/4`, with an error of less than 2^-57.
const SINE: [f64; 6] = [
    -0.16666666666666632,
    0.008333333333322424,
    -0.00019841269829815565,
    2.755731369472515e-06,
    -2.505075857174716e-08,
    1.589682303818319e-10,
];

/// `cos r = 1 - r^2/2 + r^4 P(r^2)` for `|r| <= pi/4`, with an error of less than 2^-59.
const COSINE: [f64; 6] = [
    0.041666666666666595,
    -0.0013888888888873054,
    2.4801587288850172e-05,
    -2.7557314178839115e-07,
    2.087570077786315e-09,
    -1.1358533109378325e-11,
];

/// [`SINE`] for f32, with an error of less than 2^-28.
const SINE_SINGLE: [f64; 4] =
    [-0.1666666716337204, 0.008333329111337662, -0.00019839312881231308, 2.7181215500604594e-06];

/// [`COSINE`] for f32, with an error of less than 2^-30.
const COSINE_SINGLE: [f64; 4] =
    [0.0416666679084301, -0.0013888883404433727, 2.4799459424684756e-05, -2.7205754804526805e-07];

/// The sine and the cosine of the rest of an angle, each as a number and what it lacks.
#[inline(always)]
fn of_rest<R: Real>(ReducedAngle { rest: r, correction: more, .. }: ReducedAngle<R>) -> [(R, R); 2] {
    let square = r * r;
    let half = square * R::number(0.5);
    let one = R::number(1.0);
    let (near, error) = fast_difference(one, half);
    let sine = r * square * polynomial_of(square, &SINE, &SINE_SINGLE) + more * near;
    let cosine = error + (square * square * polynomial_of(square, &COSINE, &COSINE_SINGLE) - r * more);
    [(r, sine), (near, cosine)]
}

/// Exchanges two numbers if the number of quarter turns is odd. It follows no pattern, so there is no selection, which
/// may become a jump.
#[inline(always)]
fn swap_if_odd<R: Real>(quarters: R::Bits, a: R, b: R) -> (R, R) {
    let number = R::Bits::number;
    let mask = number(0) - (quarters & number(1));
    let (a, b) = (a.to_bits(), b.to_bits());
    let difference = (a ^ b) & mask;
    (R::from_bits(a ^ difference), R::from_bits(b ^ difference))
}

/// A number, negated if bit 1 is set.
#[inline(always)]
fn negate_if<R: Real>(quarters: R::Bits, value: R) -> R {
    R::from_bits(
        value.to_bits() ^ (quarters & R::Bits::number(2)).shift_left(if R::IS_SINGLE { 30 } else { 62 }),
    )
}

/// The sine and the cosine of an angle, given its number of quarter turns, and the sine and the cosine of the rest.
#[inline(always)]
fn rotated<R: Real>(quarters: R::Bits, sine: R, cosine: R) -> (R, R) {
    let (sine, cosine) = swap_if_odd(quarters, sine, cosine);
    (negate_if(quarters, sine), negate_if(quarters + R::Bits::number(1), cosine))
}

/// The sine and the cosine of an angle.
#[inline(always)]
pub fn sine_and_cosine<R: Angle>(angle: R) -> (R, R) {
    let reduced_angle = reduced_angle(angle);
    let [sine, cosine] = of_rest(reduced_angle).map(|(near, more)| near + more);
    let (sine, cosine) = rotated(reduced_angle.quarters, sine, cosine);
    (odd(angle, sine), cosine)
}

/// The tangent of an angle.
#[inline(always)]
pub fn tangent<R: Angle>(angle: R) -> R {
    let reduced_angle = reduced_angle(angle);
    let [sine, cosine] = of_rest(reduced_angle).map(|(near, more)| fast_sum(near, more));
    let (over, under) = swap_if_odd(reduced_angle.quarters, sine.0, cosine.0);
    let (over_rest, under_rest) = swap_if_odd(reduced_angle.quarters, sine.1, cosine.1);
    let value = quotient((over, over_rest), (under, under_rest));
    // The tangent of a quarter turn more is minus the inverse.
    let sign = (reduced_angle.quarters & R::Bits::number(1)).shift_left(if R::IS_SINGLE { 31 } else { 63 });
    odd(angle, R::from_bits(value.to_bits() ^ sign))
}

/// The value of an odd function that is close to `x` near 0, where it is `x` itself, also -0.
#[inline(always)]
fn odd<R: Real>(x: R, value: R) -> R {
    R::select(x.abs().less(R::pick(7.450580596923828e-09, 0.0001220703125)), x, value)
}
