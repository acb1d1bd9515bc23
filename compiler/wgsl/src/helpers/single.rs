//! Elementary functions in f32, where WGSL has none or its own may be far off.
//!
//! Devices compute exponentials near 0 well enough, and logarithms but near 1. Of large angles they know nothing, so sine,
//! cosine and tangent are reduced as in f64; the inverse functions and those whose usual formulas cancel near 0 sum a series
//! there.

use super::Template;

/// The template of a helper for f32, if it is one of these.
pub(super) fn template(name: &str) -> Option<Template> {
    Some(match name {
        "exp" => (EXP, &["two_to"]),
        "two_to" => (TWO_TO, &[]),
        "power" => (POWER, &["inf", "product", "two_to"]),
        "product" => (PRODUCT, &["high_half"]),
        "high_half" => (HIGH_HALF, &[]),
        "log" => (LOG, &["log_series", "lift"]),
        "log2" => (LOG2, &["log_series", "lift"]),
        "log10" => (LOG10, &["log2"]),
        "lift" => (LIFT, &[]),
        "log_series" => (LOG_SERIES, &[]),
        "log1p" => (LOG1P, &["log"]),
        "cbrt" => (CBRT, &["isnan", "isinf", "lift"]),
        "sin" => (SIN, &["turn", "near_sin", "near_cos"]),
        "cos" => (COS, &["turn", "near_sin", "near_cos"]),
        "tan" => (TAN, &["turn", "near_sin", "near_cos"]),
        "near_sin" => (NEAR_SIN, &[]),
        "near_cos" => (NEAR_COS, &[]),
        "turn" => (TURN, &["isnan", "isinf", "from_bits", "turn_far"]),
        "turn_far" => (TURN_FAR, &["two_over_pi", "mul_high"]),
        "mul_high" => (MUL_HIGH, &[]),
        "atan" => (ATAN, &["copysign"]),
        "atan2" => (ATAN2, &["isnan", "isinf", "atan", "copysign"]),
        "asin" => (ASIN, &["near_asin", "from_bits"]),
        "acos" => (ACOS, &["near_asin", "from_bits"]),
        "near_asin" => (NEAR_ASIN, &[]),
        "sinh" => (SINH, &["near_sinh", "exp", "copysign"]),
        "cosh" => (COSH, &["exp"]),
        "near_sinh" => (NEAR_SINH, &[]),
        "tanh" => (TANH, &["near_sinh", "exp", "isnan", "copysign"]),
        "acosh" => (ACOSH, &["from_bits", "log1p"]),
        "asinh" => (ASINH, &["isnan", "log1p", "copysign"]),
        "atanh" => (ATANH, &["inf", "from_bits", "log1p", "copysign"]),
        _ => return None,
    })
}

// Devices know the exponential near 0. ln 2 is split in two, so that its multiples by an exponent are exact.
const EXP: &str = "
fn exp_T(a: T) -> T {
    if (!(abs(a) < T(150))) { return exp(a); }
    let k = round(a * T(1.44269504));
    let half = trunc(k * T(0.5));
    return exp((a - k * T(0.693359375)) + k * T(0.000212194440)) * two_to_T(half) * two_to_T(k - half);
}";

const TWO_TO: &str = "
fn two_to_T(k: T) -> T { return bitcast<T>(U(i32(k) + 127) << 23u); }";

// A positive number to a power: the logarithm, and its product with the exponent, are sums of two. It is k and that of
// (1 + s) / (1 - s), of which 2 * s has a rest.
const POWER: &str = "
fn power_T(a: T, b: T) -> T {
    let tiny = a < T(1.17549435e-38);
    let bits = bitcast<U>(select(a, a * T(16777216), tiny));
    let e = bitcast<i32>(bits - 0x3f3504f3u) >> 23u;
    let k = T(e) - select(T(0), T(24), tiny);
    let m = bitcast<T>(bits - (bitcast<U>(e) << 23u));
    let under = m + T(1);
    let s = (m - T(1)) / under;
    let back = product_T(s, under);
    let s_rest = ((((m - T(1)) - back.x) - back.y) - s * (m - (under - T(1)))) / under;
    let z = s * s;
    var sum = T(0.222222222);
    sum = sum * z + T(0.285714286);
    sum = sum * z + T(0.4);
    sum = sum * z + T(0.666666667);
    let first = product_T(T(2) * s, T(1.44269502162933));
    let rest = first.y + T(2) * s * T(1.92596303e-8) + (T(2) * s_rest + s * z * sum) * T(1.44269504);
    let of_k = product_T(b, k);
    let of_first = product_T(b, first.x);
    let about = of_k.x + of_first.x;
    if (abs(about) > T(250)) { return select(T(0), inf_T(), about > T(0)); }
    let n = round(about);
    let half = trunc(n * T(0.5));
    let near = ((of_k.x - n) + of_first.x) + (of_k.y + of_first.y + b * rest);
    return exp2(near) * two_to_T(half) * two_to_T(n - half);
}";

// A product, and what it loses: halves of 12 bits have exact products.
const PRODUCT: &str = "
fn product_T(a: T, b: T) -> vec2<T> {
    let product = a * b;
    let a_high = high_half_T(a);
    let a_low = a - a_high;
    let b_high = high_half_T(b);
    let b_low = b - b_high;
    return vec2<T>(product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low);
}";

const HIGH_HALF: &str = "
fn high_half_T(a: T) -> T { return bitcast<T>(bitcast<U>(a) & 0xfffff000u); }";

// Near 1, devices have the logarithm in absolute terms only; of subnormal numbers they may not have it.

const LOG: &str = "
fn log_T(a: T) -> T {
    if (abs(a - T(1)) < T(0.25)) { return log_series_T(a); }
    return log(a * lift_T(a)) - select(T(0), T(16.6355323), lift_T(a) > T(1));
}";

const LOG2: &str = "
fn log2_T(a: T) -> T {
    if (abs(a - T(1)) < T(0.25)) { return log_series_T(a) * T(1.44269504089); }
    return log2(a * lift_T(a)) - select(T(0), T(24), lift_T(a) > T(1));
}";

const LOG10: &str = "
fn log10_T(a: T) -> T {
    return log2_T(a) * T(0.30102999566398119521);
}";

// The power of two that makes a normal number of a.
const LIFT: &str = "
fn lift_T(a: T) -> T { return select(T(1), T(16777216), abs(a) < T(1.17549435e-38)); }";

// Of (1 + s) / (1 - s).
const LOG_SERIES: &str = "
fn log_series_T(a: T) -> T {
    let s = (a - T(1)) / (a + T(1));
    let z = s * s;
    var sum = T(0.222222222);
    sum = sum * z + T(0.285714286);
    sum = sum * z + T(0.4);
    sum = sum * z + T(0.666666667);
    return T(2) * s + s * z * sum;
}";

// log(1 + a); what the sum loses is added.
const LOG1P: &str = "
fn log1p_T(a: T) -> T {
    let sum = T(1) + a;
    return log_T(sum) + (a - (sum - T(1))) / sum;
}";

const CBRT: &str = "
fn cbrt_T(a: T) -> T {
    if (a == T(0) || isnan_T(a) || isinf_T(a)) { return a; }
    let lifted = a * lift_T(a);
    let guess = select(T(1), T(-1), a < T(0)) * exp2(log2(abs(lifted)) / T(3));
    let root = guess - (guess - lifted / (guess * guess)) / T(3);
    return select(root, root * T(0.00390625), lift_T(a) > T(1));
}";

// Sine, cosine, tangent: a = q * pi/2 + r, with r at most pi/4.

const SIN: &str = "
fn sin_T(a: T) -> T {
    if (a == T(0)) { return a; }
    let turn = turn_T(a);
    let quarter = u32(i32(turn.x)) & 3u;
    let size = select(near_sin_T(turn.y), near_cos_T(turn.y), (quarter & 1u) == 1u);
    return select(size, -size, quarter >= 2u);
}";

const COS: &str = "
fn cos_T(a: T) -> T {
    let turn = turn_T(a);
    let quarter = u32(i32(turn.x)) & 3u;
    let size = select(near_cos_T(turn.y), near_sin_T(turn.y), (quarter & 1u) == 1u);
    return select(size, -size, quarter == 1u || quarter == 2u);
}";

const TAN: &str = "
fn tan_T(a: T) -> T {
    if (a == T(0)) { return a; }
    let turn = turn_T(a);
    let sine = near_sin_T(turn.y);
    let cosine = near_cos_T(turn.y);
    if ((u32(i32(turn.x)) & 1u) == 1u) { return -cosine / sine; }
    return sine / cosine;
}";

const NEAR_SIN: &str = "
fn near_sin_T(r: T) -> T {
    let z = r * r;
    var sum = T(2.75573192e-6);
    sum = sum * z - T(0.000198412698);
    sum = sum * z + T(0.00833333333);
    sum = sum * z - T(0.166666667);
    return r + r * z * sum;
}";

const NEAR_COS: &str = "
fn near_cos_T(r: T) -> T {
    let z = r * r;
    var sum = T(-2.75573192e-7);
    sum = sum * z + T(2.48015873e-5);
    sum = sum * z - T(0.00138888889);
    sum = sum * z + T(0.0416666667);
    return (T(1) - T(0.5) * z) + z * z * sum;
}";

// The vector (q, r). pi/2 is split in three; multiples of the first two parts are exact.
const TURN: &str = "
fn turn_T(a: T) -> vec2<T> {
    if (isnan_T(a) || isinf_T(a)) { return vec2<T>(T(0), from_bits_T(~U(0))); }
    if (abs(a) > T(100)) { return turn_far_T(a); }
    let q = round(a * T(0.636619772));
    return vec2<T>(q, ((a - q * T(1.5707855224609375)) - q * T(1.0804273188114166e-5)) - q * T(6.07710062827671e-11));
}";

// Far from 0, as in f64: a has 24 bits, and of 2/pi only 96 matter.
const TURN_FAR: &str = "
fn turn_far_T(a: T) -> vec2<T> {
    let bits = bitcast<U>(a) & 0x7fffffffu;
    let first = (bits >> 23u) - 88u;
    let m = (bits & 0x007fffffu) | 0x00800000u;
    var words = two_over_pi_T;
    var window: array<U, 3>;
    for (var at = 0u; at < 3u; at = at + 1u) {
        let place = first / 32u + at;
        window[at] = (words[place] << (first % 32u)) | ((words[place + 1u] >> 1u) >> (31u - first % 32u));
    }
    let middle = window[1] * m;
    let low = middle + mul_high_T(window[2], m);
    let high = window[0] * m + mul_high_T(window[1], m) + U(low < middle);
    let fraction = (high << 2u) | (low >> 30u);
    let beyond = (fraction >> 31u) == 1u;
    let q = T((high >> 30u) + U(beyond));
    let size = select(fraction, ~fraction, beyond);
    let small = select(low << 2u, ~(low << 2u), beyond);
    let turns = T(size) * T(2.3283064365386963e-10) + T(small) * T(5.421010862427522e-20);
    let r = turns * T(1.57079632679);
    return vec2<T>(select(q, -q, a < T(0)), select(r, -r, beyond != (a < T(0))));
}";

// The upper half of a product.
const MUL_HIGH: &str = "
fn mul_high_T(a: U, b: U) -> U {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
    return (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u);
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
    let root = exp_T(abs(a) * T(0.5));
    return copysign_T((T(0.5) * root) * root - (T(0.5) / root) / root, a);
}";

// By a root, which does not overflow before the result does.
const COSH: &str = "
fn cosh_T(a: T) -> T {
    let root = exp_T(abs(a) * T(0.5));
    return (T(0.5) * root) * root + (T(0.5) / root) / root;
}";

const TANH: &str = "
fn tanh_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    if (abs(a) < T(1)) {
        let sine = near_sinh_T(a);
        return sine / sqrt(T(1) + sine * sine);
    }
    return copysign_T(T(1) - T(2) / (exp_T(T(2) * min(abs(a), T(20))) + T(1)), a);
}";

const ACOSH: &str = "
fn acosh_T(a: T) -> T {
    if (a < T(1)) { return from_bits_T(~U(0)); }
    if (a > T(10000)) { return log(a) + T(0.693147181); }
    let beyond = a - T(1);
    return log1p_T(beyond + sqrt(T(2) * beyond + beyond * beyond));
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
