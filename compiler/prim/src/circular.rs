//! Sine, cosine and tangent. The standard library loses digits for large angles near a multiple of pi/2, because its
//! argument reduction uses too few digits of pi.
//!
//! In f64 the error is at most two units in the last place, as for all functions (`docs/accuracy.md`). In f32 they are
//! those of the standard library.

use std::f64::consts::FRAC_PI_2;

/// The types of angles, in radians.
pub trait Angle: Copy {
    /// The sine.
    fn sine(self) -> Self;
    /// The cosine.
    fn cosine(self) -> Self;
    /// Both, which is faster than computing them separately.
    fn sine_and_cosine(self) -> (Self, Self);
    /// The tangent.
    fn tangent(self) -> Self;
}

impl Angle for f32 {
    fn sine(self) -> f32 {
        self.sin()
    }

    fn cosine(self) -> f32 {
        self.cos()
    }

    fn sine_and_cosine(self) -> (f32, f32) {
        self.sin_cos()
    }

    fn tangent(self) -> f32 {
        self.tan()
    }
}

impl Angle for f64 {
    fn sine(self) -> f64 {
        if is_far(self) { far(self).0 } else { self.sin() }
    }

    fn cosine(self) -> f64 {
        if is_far(self) { far(self).1 } else { self.cos() }
    }

    fn sine_and_cosine(self) -> (f64, f64) {
        if is_far(self) { far(self) } else { self.sin_cos() }
    }

    fn tangent(self) -> f64 {
        if is_far(self) { far_tangent(self) } else { self.tan() }
    }
}

/// Whether the standard library may have too few digits of pi for this angle.
fn is_far(angle: f64) -> bool {
    angle.is_finite() && angle.abs() > 1e8
}

/// Sine and cosine of an angle far from 0.
fn far(angle: f64) -> (f64, f64) {
    let (quarters, near, rest) = reduced(angle.abs());
    let (sine, cosine) = near.sin_cos();
    let (sine, cosine) = (sine + rest * cosine, cosine - rest * sine);
    let (sine, cosine) = match quarters % 4 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    };
    (if angle < 0.0 { -sine } else { sine }, cosine)
}

/// The tangent of an angle far from 0.
fn far_tangent(angle: f64) -> f64 {
    let (quarters, near, rest) = reduced(angle.abs());
    let tangent = near.tan();
    let more = rest * (1.0 + tangent * tangent);
    let tangent = if quarters % 2 == 0 {
        tangent + more
    } else {
        // The digits of -1 / (tangent + more) after the first ones.
        let inverse = -1.0 / tangent;
        inverse + inverse * (inverse.mul_add(tangent, 1.0) + inverse * more)
    };
    if angle < 0.0 { -tangent } else { tangent }
}

/// The number of quarter turns modulo 4, and the rest of the angle: at most half a quarter turn, as a number and a
/// small correction.
///
/// The angle is `m * 2^e` with an integer `m` of 53 bits. Only 192 bits of 2/pi matter: those whose products with the
/// angle are less than 4 and not too small. Times `m` they give the angle in quarter turns modulo 4 (Payne and Hanek,
/// Radian Reduction for Trigonometric Functions, ACM SIGNUM Newsletter 18(1), 1983).
fn reduced(size: f64) -> (u32, f64, f64) {
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

#[cfg(test)]
mod tests;
