//! Hyperbolic functions in place of those of the standard library, which are inaccurate: its inverse functions lose
//! most digits near 1 and overflow early.
//!
//! In f64 the error is at most two units in the last place, as for all functions (`docs/accuracy.md`). In f32 the
//! functions compute in f64 and round the result.

/// Floating-point types whose functions compute in f64.
pub trait Real: Copy + Into<f64> {
    /// The nearest number of the type.
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

/// The hyperbolic tangent. Near 0 it is computed by its truncated continued fraction, as `x` minus a correction that is
/// small compared with `x`.
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

/// The inverse hyperbolic sine.
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

/// The inverse hyperbolic cosine, which is not negative. Near 1 it is twice the inverse hyperbolic sine of `sqrt(z)`,
/// which is computed by a series.
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

/// The inverse hyperbolic tangent.
pub fn atanh<T: Real>(x: T) -> T {
    let x: f64 = x.into();
    T::nearest((0.5 * (x.abs().ln_1p() - (-x.abs()).ln_1p())).copysign(x))
}

/// For greater arguments, the 1 that is added to the square under the root is negligible.
const FAR: f64 = 1e8;
