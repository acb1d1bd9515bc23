//! Elementary functions in f32, where WGSL has none or its own may be far off.
//!
//! Devices compute exponentials, logarithms, sines and cosines well enough. The inverse functions and those
//! whose usual formulas cancel near 0 sum a series there, as in f64.

use super::Template;

/// The template of a helper for f32, if it is one of these.
pub(super) fn template(name: &str) -> Option<Template> {
    Some(match name {
        "power" => (POWER, &[]),
        "log10" => (LOG10, &[]),
        "log1p" => (LOG1P, &[]),
        "cbrt" => (CBRT, &["isnan", "isinf"]),
        "atan" => (ATAN, &["copysign"]),
        "atan2" => (ATAN2, &["isnan", "isinf", "atan", "copysign"]),
        "asin" => (ASIN, &["near_asin", "from_bits"]),
        "acos" => (ACOS, &["near_asin", "from_bits"]),
        "near_asin" => (NEAR_ASIN, &[]),
        "sinh" => (SINH, &["near_sinh"]),
        "near_sinh" => (NEAR_SINH, &[]),
        "tanh" => (TANH, &["near_sinh", "isnan", "copysign"]),
        "asinh" => (ASINH, &["isnan", "log1p", "copysign"]),
        "atanh" => (ATANH, &["inf", "from_bits", "log1p", "copysign"]),
        _ => return None,
    })
}

// A positive number to a power.
const POWER: &str = "
fn power_T(a: T, b: T) -> T { return exp2(b * log2(a)); }";

const LOG10: &str = "
fn log10_T(a: T) -> T { return log2(a) * T(0.30102999566398119521); }";

// log(1 + a); what the sum loses is added.
const LOG1P: &str = "
fn log1p_T(a: T) -> T {
    let sum = T(1) + a;
    return log(sum) + (a - (sum - T(1))) / sum;
}";

const CBRT: &str = "
fn cbrt_T(a: T) -> T {
    if (a == T(0) || isnan_T(a) || isinf_T(a)) { return a; }
    let guess = select(T(1), T(-1), a < T(0)) * exp2(log2(abs(a)) / T(3));
    return guess - (guess - a / (guess * guess)) / T(3);
}";

// The arctangent of t from 0 to 1 is, beyond tan(pi/8), pi/4 and that of (t - 1) / (t + 1).
const ATAN: &str = "
fn atan_T(a: T) -> T {
    let steep = abs(a) > T(1);
    let t = select(abs(a), T(1) / abs(a), steep);
    let far = t > T(0.414213562);
    let s = select(t, (t - T(1)) / (t + T(1)), far);
    let z = s * s;
    var sum = T(0.0588235294);
    sum = sum * z - T(0.0666666667);
    sum = sum * z + T(0.0769230769);
    sum = sum * z - T(0.0909090909);
    sum = sum * z + T(0.111111111);
    sum = sum * z - T(0.142857143);
    sum = sum * z + T(0.2);
    sum = sum * z - T(0.333333333);
    let angle = select(T(0), T(0.785398163), far) + (s + s * z * sum);
    return copysign_T(select(angle, T(1.57079632679) - angle, steep), a);
}";

const ATAN2: &str = "
fn atan2_T(y: T, x: T) -> T {
    if (isnan_T(x) || isnan_T(y)) { return x + y; }
    let behind = (bitcast<U>(x) >> 31u) == 1u;
    if (y == T(0)) { return copysign_T(select(T(0), T(3.14159265359), behind), y); }
    var angle = T(0.785398163);
    if (!(isinf_T(x) && isinf_T(y))) { angle = atan_T(abs(y) / abs(x)); }
    return copysign_T(select(angle, T(3.14159265359) - angle, behind), y);
}";

// The arcsine from 0 to 1/2, by its series. Beyond, asin x = pi/2 - 2 asin sqrt((1 - x)/2).
const NEAR_ASIN: &str = "
fn near_asin_T(a: T) -> T {
    let z = a * a;
    var sum = T(0.00731252587);
    sum = sum * z + T(0.00839033581);
    sum = sum * z + T(0.00976160953);
    sum = sum * z + T(0.0115518009);
    sum = sum * z + T(0.01396484375);
    sum = sum * z + T(0.0173527644);
    sum = sum * z + T(0.0223721591);
    sum = sum * z + T(0.0303819444);
    sum = sum * z + T(0.0446428571);
    sum = sum * z + T(0.075);
    sum = sum * z + T(0.166666667);
    return a + a * z * sum;
}";

const ASIN: &str = "
fn asin_T(a: T) -> T {
    let size = abs(a);
    if (size > T(1)) { return from_bits_T(~U(0)); }
    if (size <= T(0.5)) { return near_asin_T(a); }
    let angle = T(1.57079632679) - T(2) * near_asin_T(sqrt((T(1) - size) * T(0.5)));
    return select(angle, -angle, a < T(0));
}";

const ACOS: &str = "
fn acos_T(a: T) -> T {
    let size = abs(a);
    if (size > T(1)) { return from_bits_T(~U(0)); }
    if (size <= T(0.5)) { return T(1.57079632679) - near_asin_T(a); }
    let angle = T(2) * near_asin_T(sqrt((T(1) - size) * T(0.5)));
    return select(angle, T(3.14159265359) - angle, a < T(0));
}";

// From 0 to 1.
const NEAR_SINH: &str = "
fn near_sinh_T(a: T) -> T {
    let z = a * a;
    var sum = T(2.75573192e-6);
    sum = sum * z + T(0.000198412698);
    sum = sum * z + T(0.00833333333);
    sum = sum * z + T(0.166666667);
    return a + a * z * sum;
}";

const SINH: &str = "
fn sinh_T(a: T) -> T {
    if (abs(a) < T(1)) { return near_sinh_T(a); }
    return sinh(a);
}";

const TANH: &str = "
fn tanh_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    if (abs(a) < T(1)) {
        let sine = near_sinh_T(a);
        return sine / sqrt(T(1) + sine * sine);
    }
    return copysign_T(T(1) - T(2) / (exp(T(2) * min(abs(a), T(20))) + T(1)), a);
}";

const ASINH: &str = "
fn asinh_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    let size = abs(a);
    if (size > T(10000)) { return copysign_T(log(size) + T(0.693147181), a); }
    return copysign_T(log1p_T(size + size * size / (T(1) + sqrt(T(1) + size * size))), a);
}";

// By its series near 0; the one that is built in loses the sign of 0 there.
const ATANH: &str = "
fn atanh_T(a: T) -> T {
    let size = abs(a);
    if (size > T(1)) { return from_bits_T(~U(0)); }
    if (size == T(1)) { return copysign_T(inf_T(), a); }
    if (size < T(0.3)) {
        let z = a * a;
        var sum = T(0.0769230769);
        sum = sum * z + T(0.0909090909);
        sum = sum * z + T(0.111111111);
        sum = sum * z + T(0.142857143);
        sum = sum * z + T(0.2);
        sum = sum * z + T(0.333333333);
        return a + a * z * sum;
    }
    return copysign_T(T(0.5) * (log1p_T(size) - log1p_T(-size)), a);
}";
