//! Reduction of an angle to less than half a quarter turn.
//!
//! An angle is `k * pi/2 + r`. Near 0, `k * pi/2` is subtracted in four parts, of which the first three are exact (Cody
//! and Waite, Software Manual for the Elementary Functions, 1980). Far from 0 the digits of 2/pi that matter depend on
//! the angle (Payne and Hanek, "Radian reduction for trigonometric functions", ACM SIGNUM Newsletter 18(1), 1983).

use std::f64::consts::FRAC_PI_2;

use super::error_free::{fast_difference, fast_sum, product};
use super::real::{Angle, Real};

/// An angle, reduced: a number of quarter turns, and the rest.
#[derive(Clone, Copy)]
pub struct ReducedAngle<R: Real> {
    /// An integer whose low two bits are the number of quarter turns modulo 4.
    pub quarters: R::Bits,
    /// The rest of the angle, rounded.
    pub rest: R,
    /// The rounding error of `rest`, to be added to it.
    pub correction: R,
}

/// 1.5 * 2^52. If an integer is added to it, the low bits of the sum are the low bits of the integer.
const SHIFT: f64 = 6_755_399_441_055_744.0;

/// The same for f32: 1.5 * 2^23.
const SHIFT_SINGLE: f64 = 12_582_912.0;

/// From these angles on, products with the number of quarter turns are not exact, in f64 and in f32.
const FAR: (f64, f64) = (1_647_099.0, 6_433.0);

/// pi/2 as a sum; the first three parts have 33 bits or less.
const PARTS: [f64; 4] =
    [1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32];

/// The same for f32; the first four parts have 12 bits or less.
const PARTS_SINGLE: [f64; 5] =
    [1.5703125, 0.0004837512969970703, 7.549533620476723e-08, 2.5632829192545614e-12, 6.123234262925839e-17];

/// Reduces an angle.
#[inline(always)]
pub fn reduced_angle<R: Angle>(angle: R) -> ReducedAngle<R> {
    if R::IS_SINGLE { reduced(angle, PARTS_SINGLE) } else { reduced(angle, PARTS) }
}

#[inline(always)]
fn reduced<R: Angle, const N: usize>(angle: R, parts: [f64; N]) -> ReducedAngle<R> {
    let shift = R::pick(SHIFT, SHIFT_SINGLE);
    let shifted = angle * R::number(2.0 / std::f64::consts::PI) + shift;
    let k = shifted - shift;
    let near = angle - k * R::number(parts[0]);
    // Each number is a multiple of the last digit of the next one, which makes the errors exact.
    let (mut rest, mut more) = fast_difference(near, k * R::number(parts[1]));
    for &part in &parts[2..N - 1] {
        let (nearer, error) = fast_difference(rest, k * R::number(part));
        (rest, more) = (nearer, more + error);
    }
    let more = more - k * R::number(parts[N - 1]);
    let is_far = R::pick(FAR.0, FAR.1).less(angle.abs());
    let [shifted, rest, more] = R::reduce_far_angle_if(is_far, angle, [shifted, rest, more]);
    ReducedAngle { quarters: shifted.to_bits(), rest, correction: more }
}

/// A reduced angle far from 0: a number whose low two bits are the number of quarter turns modulo 4, the rest, and its
/// correction. For an infinite angle all three are NaN.
#[cold]
#[inline(never)]
pub fn reduce_far_angle(angle: f64) -> [f64; 3] {
    if !angle.is_finite() {
        return [f64::NAN; 3];
    }
    let (quarters, near, rest) = far(angle.abs());
    if angle < 0.0 {
        return [SHIFT - f64::from(quarters % 4), -near, -rest];
    }
    [SHIFT + f64::from(quarters % 4), near, rest]
}
/// The number of quarter turns modulo 4, and the rest of the angle: at most half a quarter turn, as a number and a
/// small correction.
///
/// The angle is `m * 2^e` with an integer `m` of 53 bits. Only 192 bits of 2/pi matter: those whose products with the
/// angle are less than 4 and not too small. Times `m` they give the angle in quarter turns modulo 4 (Payne and Hanek,
/// Radian Reduction for Trigonometric Functions, ACM SIGNUM Newsletter 18(1), 1983).
fn far(size: f64) -> (u32, f64, f64) {
    let bits = size.to_bits();
    let first = (bits >> 52) as usize - 1013;
    let m = (bits & ((1 << 52) - 1)) | 1 << 52;
    let word = |at: usize| {
        let place = first / 32 + 2 * at;
        let three =
            TWO_OVER_PI[place..place + 3].iter().fold(0, |three, &word| three << 32 | u128::from(word));
        (three >> (32 - first % 32)) as u64
    };
    let low = (u128::from(word(2)) * u128::from(m)) >> 64;
    let middle = u128::from(word(1)) * u128::from(m);
    let high = u128::from(word(0).wrapping_mul(m)) << 64;
    let turns = high.wrapping_add(middle).wrapping_add(low);
    let (quarters, fraction) = ((turns >> 126) as u32, turns << 2);
    let is_beyond = fraction >> 127 == 1;
    // Counted from the nearest quarter turn, a small distance keeps its digits.
    let distance = if is_beyond { !fraction } else { fraction };
    let most = distance as f64;
    let less = (distance.wrapping_sub(most as u128) as i128) as f64;
    let [most, less] = [most, less].map(|part| if is_beyond { -part } else { part } * UNIT);
    let near = most * FRAC_PI_2;
    let rest = most.mul_add(FRAC_PI_2, -near) + most * FRAC_PI_2_REST + less * FRAC_PI_2;
    (quarters + u32::from(is_beyond), near, rest)
}

/// [`reduce_far_angle`] in f32. The angle is `m * 2^e` with an integer `m` of 24 bits, and 96 bits of 2/pi matter.
#[cold]
#[inline(never)]
pub fn reduce_far_angle_single(angle: f32) -> [f32; 3] {
    if !angle.is_finite() {
        return [f32::NAN; 3];
    }
    let bits = angle.abs().to_bits();
    let first = (bits >> 23) as usize - 88;
    let m = (bits & ((1 << 23) - 1)) | 1 << 23;
    let word = |at: usize| {
        let place = first / 32 + at;
        let pair = u64::from(TWO_OVER_PI[place]) << 32 | u64::from(TWO_OVER_PI[place + 1]);
        (pair >> (32 - first % 32)) as u32
    };
    let wide = |word: u32| u64::from(word) * u64::from(m);
    let turns = (u64::from(word(0).wrapping_mul(m)) << 32)
        .wrapping_add(wide(word(1)))
        .wrapping_add(wide(word(2)) >> 32);
    let (quarters, fraction) = ((turns >> 62) as u32, turns << 2);
    let is_beyond = fraction >> 63 == 1;
    let distance = if is_beyond { !fraction } else { fraction };
    // The distance in three numbers, each of which is exact.
    let high = (distance >> 40) as f32 * 5.9604645e-8;
    let middle = (distance >> 16 & 0xff_ffff) as f32 * 3.5527137e-15;
    let low = (distance & 0xffff) as f32 * 5.421011e-20;
    let (most, less) = fast_sum(high, middle);
    let (near, error) = product(most, FRAC_PI_2_SINGLE.0);
    let rest = error + (most * FRAC_PI_2_SINGLE.1 + (less + low) * FRAC_PI_2_SINGLE.0);
    let turn = (quarters + u32::from(is_beyond)) % 4;
    let sign = if is_beyond == (angle < 0.0) { 1.0 } else { -1.0 };
    let turn = if angle < 0.0 { -(turn as f32) } else { turn as f32 };
    [SHIFT_SINGLE as f32 + turn, sign * near, sign * rest]
}

/// pi/2 as the sum of two f32.
const FRAC_PI_2_SINGLE: (f32, f32) = (std::f32::consts::FRAC_PI_2, -4.371139e-8);

/// 2^-128.
const UNIT: f64 = 2.938735877055719e-39;

/// The difference between pi/2 and [`FRAC_PI_2`].
const FRAC_PI_2_REST: f64 = 6.123233995736766e-17;

/// The binary digits of 2/pi, after 64 zeros: as many as the largest f64 needs.
pub const TWO_OVER_PI: [u32; 40] = [
    0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
    0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b,
    0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab,
];
