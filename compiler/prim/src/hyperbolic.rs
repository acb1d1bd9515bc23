//! Hyperbolic functions for which the standard library is inaccurate: its inverse functions lose most digits near 1 and
//! overflow early.
//!
//! In f64 they are off by two units in the last place at most, as all functions are (`docs/accuracy.md`); in f32 they are those of f64, rounded.

/// Numbers that are computed with as f64.
pub trait Real: Copy + Into<f64> {
    /// The number next to this one.
    fn nearest(x: f64) -> Self;
}

impl Real for f32 {
    fn nearest(x: f64) -> f32 {
        x as f32
    }
}

impl Real for f64 {
    fn nearest(x: f64) -> f64 {
        x
    }
}

/// The hyperbolic tangent. Near 0 by the beginning of its continued fraction, whose rest is small against `x`.
pub fn tanh<T: Real>(x: T) -> T {
    let x: f64 = x.into();
    let size = x.abs();
    if size < 0.55 {
        let z = x * x;
        let over = ((z + 594.0) * z + 45045.0) * z + 675675.0;
        let under = (((z + 630.0) * z + 51975.0) * z + 945945.0) * z + 2027025.0;
        return T::nearest((x - x * z * (over / under)).copysign(x));
    }
    T::nearest((1.0 - 2.0 / ((2.0 * size).exp() + 1.0)).copysign(x))
}

/// The number with this hyperbolic sine.
pub fn asinh<T: Real>(x: T) -> T {
    let x: f64 = x.into();
    let size = x.abs();
    let result = if size > FAR {
        size.ln() + std::f64::consts::LN_2
    } else {
        (size + size * size / (1.0 + (1.0 + size * size).sqrt())).ln_1p()
    };
    T::nearest(result.copysign(x))
}

/// The number, not negative, with this hyperbolic cosine. Near 1 by the series of the inverse hyperbolic sine of
/// `sqrt(z)`, which is half of it.
pub fn acosh<T: Real>(x: T) -> T {
    let x: f64 = x.into();
    let beyond = x - 1.0;
    T::nearest(if x < 1.0 {
        f64::NAN
    } else if x > FAR {
        x.ln() + std::f64::consts::LN_2
    } else if beyond < 0.0625 {
        let (root, z) = ((2.0 * beyond).sqrt(), beyond / 2.0);
        let high = 143.0 / 10240.0 - z * (6435.0 / 557_056.0 - z * (12155.0 / 1_245_184.0));
        let middle = 35.0 / 1152.0 - z * (63.0 / 2816.0 - z * (231.0 / 13312.0 - z * high));
        root - root * z * (1.0 / 6.0 - z * (3.0 / 40.0 - z * (5.0 / 112.0 - z * middle)))
    } else {
        (beyond + (2.0 * beyond + beyond * beyond).sqrt()).ln_1p()
    })
}

/// The number with this hyperbolic tangent.
pub fn atanh<T: Real>(x: T) -> T {
    let x: f64 = x.into();
    T::nearest((0.5 * (x.abs().ln_1p() - (-x.abs()).ln_1p())).copysign(x))
}

/// From here on the square is all there is below a root.
const FAR: f64 = 1e8;
