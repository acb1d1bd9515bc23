//! The elementary functions in f64. Devices have arithmetic and the square root in f64, and nothing else.
//!
//! Each function brings its argument to a number near 0 and sums a series there whose
//! coefficients are simple fractions. Where a step would lose digits, what it loses is computed and
//! carried along as a second, small number. The results are off by a few units in the last place.

use super::Template;

/// The template of a helper for f64, if it is one of these.
pub(super) fn template(name: &str) -> Option<Template> {
    Some(match name {
        "exp" => (EXP, &["isnan", "inf", "exp_of_sum"]),
        "exp_of_sum" => (EXP_OF_SUM, &["scale"]),
        "scale" => (SCALE, &["power_of_two"]),
        "power_of_two" => (POWER_OF_TWO, &[]),
        "log" => (LOG, &["isnan", "inf", "from_bits", "parts", "log_series"]),
        "log_series" => (LOG_SERIES, &[]),
        "parts" => (PARTS, &[]),
        "log2" => (LOG2, &["inf", "log", "parts"]),
        "log10" => (LOG10, &["inf", "log", "parts"]),
        "log1p" => (LOG1P, &["log"]),
        "power" => (POWER, &["inf", "parts", "log_series", "high_half", "exp_of_sum"]),
        "high_half" => (HIGH_HALF, &[]),
        "cbrt" => (CBRT, &["isnan", "isinf", "copysign"]),
        "sin" => (SIN, &["turn", "near_sin", "near_cos"]),
        "cos" => (COS, &["turn", "near_sin", "near_cos"]),
        "tan" => (TAN, &["turn", "near_sin", "near_cos"]),
        "near_sin" => (NEAR_SIN, &[]),
        "near_cos" => (NEAR_COS, &[]),
        "turn" => (TURN, &["isnan", "isinf", "from_bits", "turn_far"]),
        "turn_far" => (TURN_FAR, &["high_half"]),
        "atan" => (ATAN, &["isnan", "copysign"]),
        "atan2" => (ATAN2, &["isnan", "isinf", "atan", "copysign"]),
        "asin" => (ASIN, &["from_bits", "isnan", "atan", "copysign"]),
        "acos" => (ACOS, &["from_bits", "isnan", "atan"]),
        "sinh" => (SINH, &["isnan", "near_sinh", "exp", "copysign"]),
        "near_sinh" => (NEAR_SINH, &[]),
        "cosh" => (COSH, &["isnan", "exp"]),
        "tanh" => (TANH, &["isnan", "near_sinh", "exp", "copysign"]),
        "asinh" => (ASINH, &["isnan", "log", "log1p", "copysign"]),
        "acosh" => (ACOSH, &["isnan", "from_bits", "log", "log1p"]),
        "atanh" => (ATANH, &["isnan", "inf", "from_bits", "log1p", "copysign"]),
        _ => return None,
    })
}

// Exponential and logarithm. ln 2 is split in two, so that its multiples by an exponent are exact.

const EXP: &str = "
fn exp_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    if (a > 709.782712893384lf) { return inf_T(); }
    if (a < -745.2lf) { return 0.0lf; }
    return exp_of_sum_T(a, 0.0lf);
}";

// The second number is small.
const EXP_OF_SUM: &str = "
fn exp_of_sum_T(a: T, b: T) -> T {
    let k = round(a * 1.4426950408889634lf);
    let r = ((a - k * 0.6931471803691238lf) - k * 1.9082149292705877e-10lf) + b;
    var sum = 1.6059043836821613e-10lf;
    sum = sum * r + 2.08767569878681e-09lf;
    sum = sum * r + 2.505210838544172e-08lf;
    sum = sum * r + 2.755731922398589e-07lf;
    sum = sum * r + 2.7557319223985893e-06lf;
    sum = sum * r + 2.48015873015873e-05lf;
    sum = sum * r + 0.0001984126984126984lf;
    sum = sum * r + 0.001388888888888889lf;
    sum = sum * r + 0.008333333333333333lf;
    sum = sum * r + 0.041666666666666664lf;
    sum = sum * r + 0.16666666666666666lf;
    sum = sum * r + 0.5lf;
    return scale_T(1.0lf + (r + r * r * sum), i32(k));
}";

const SCALE: &str = "
fn scale_T(a: T, k: i32) -> T {
    let half = k / 2;
    return a * power_of_two_T(half) * power_of_two_T(k - half);
}";

const POWER_OF_TWO: &str = "
fn power_of_two_T(k: i32) -> T { return bitcast<T>(u64(u32(k + 1023)) << 52u); }";

// A positive number as m * 2^k, m between sqrt 1/2 and sqrt 2: the vector (m, k).
const PARTS: &str = "
fn parts_T(a: T) -> vec2<T> {
    var x = a;
    var k = -1023;
    if (a < 2.2250738585072014e-308lf) {
        x = a * 18014398509481984.0lf;
        k = k - 54;
    }
    let bits = bitcast<u64>(x);
    k = k + i32(u32(bits >> 52u));
    let m = bitcast<T>((bits & 0x000ffffffffffffflu) | 0x3ff0000000000000lu);
    if (m > 1.4142135623730951lf) { return vec2<T>(m * 0.5lf, T(k + 1)); }
    return vec2<T>(m, T(k));
}";

// For z = s * s: log((1 + s) / (1 - s)) / s - 2.
const LOG_SERIES: &str = "
fn log_series_T(z: T) -> T {
    var sum = 0.08695652173913043lf;
    sum = sum * z + 0.09523809523809523lf;
    sum = sum * z + 0.10526315789473684lf;
    sum = sum * z + 0.11764705882352941lf;
    sum = sum * z + 0.13333333333333333lf;
    sum = sum * z + 0.15384615384615385lf;
    sum = sum * z + 0.18181818181818182lf;
    sum = sum * z + 0.2222222222222222lf;
    sum = sum * z + 0.2857142857142857lf;
    sum = sum * z + 0.4lf;
    sum = sum * z + 0.6666666666666666lf;
    return z * sum;
}";

const LOG: &str = "
fn log_T(a: T) -> T {
    if (isnan_T(a) || a == inf_T()) { return a; }
    if (a == 0.0lf) { return -inf_T(); }
    if (a < 0.0lf) { return from_bits_T(~U(0)); }
    let parts = parts_T(a);
    let f = parts.x - 1.0lf;
    let s = f / (2.0lf + f);
    let half = 0.5lf * f * f;
    let rest = s * (half + log_series_T(s * s)) + parts.y * 1.9082149292705877e-10lf;
    return parts.y * 0.6931471803691238lf - ((half - rest) - f);
}";

const LOG2: &str = "
fn log2_T(a: T) -> T {
    if (!(a > 0.0lf) || a == inf_T()) { return log_T(a); }
    let parts = parts_T(a);
    return parts.y + log_T(parts.x) * 1.4426950408889634lf;
}";

const LOG10: &str = "
fn log10_T(a: T) -> T {
    if (!(a > 0.0lf) || a == inf_T()) { return log_T(a); }
    let parts = parts_T(a);
    return parts.y * 0.3010299956639812lf + log_T(parts.x) * 0.4342944819032518lf;
}";

// log(1 + a); what the sum loses is added.
const LOG1P: &str = "
fn log1p_T(a: T) -> T {
    let sum = 1.0lf + a;
    return log_T(sum) + (a - (sum - 1.0lf)) / sum;
}";

// The leading 26 bits: products of two such are exact.
const HIGH_HALF: &str = "
fn high_half_T(a: T) -> T { return bitcast<T>(bitcast<u64>(a) & 0xfffffffff8000000lu); }";

// A positive number to a power: the logarithm, and its product with the exponent, are sums of two.
const POWER: &str = "
fn power_T(a: T, b: T) -> T {
    let parts = parts_T(a);
    let f = parts.x - 1.0lf;
    let divisor = 2.0lf + f;
    let s = f / divisor;
    let s_high = high_half_T(s);
    let s_low = s - s_high;
    let divisor_high = high_half_T(divisor);
    let divisor_low = divisor - divisor_high;
    let product_rest = ((f - s_high * divisor_high) - s_high * divisor_low) - s_low * divisor_high;
    let remainder = (product_rest - s_low * divisor_low) - s * (f - (divisor - 2.0lf));
    let s_rest = remainder / divisor;

    let whole = parts.y * 0.6931471803691238lf;
    let rough = whole + 2.0lf * s;
    let of_s = rough - whole;
    let lost = (whole - (rough - of_s)) + (2.0lf * s - of_s);
    let rest = (s * log_series_T(s * s) + 2.0lf * s_rest) + parts.y * 1.9082149292705877e-10lf + lost;
    let log = rough + rest;
    let log_rest = (rough - log) + rest;

    let exponent = b * log;
    if (exponent > 710.0lf) { return inf_T(); }
    if (exponent < -746.0lf) { return 0.0lf; }
    let b_high = high_half_T(b);
    let b_low = b - b_high;
    let log_high = high_half_T(log);
    let log_low = log - log_high;
    let error = ((b_high * log_high - exponent) + b_high * log_low + b_low * log_high) + b_low * log_low;
    return exp_of_sum_T(exponent, error + b * log_rest);
}";

const CBRT: &str = "
fn cbrt_T(a: T) -> T {
    if (a == 0.0lf || isnan_T(a) || isinf_T(a)) { return a; }
    let small = abs(a) < 2.2250738585072014e-308lf;
    let x = select(abs(a), abs(a) * 18014398509481984.0lf, small);
    var root = bitcast<T>(bitcast<u64>(x) / 3lu + 0x2aa0000000000000lu);
    for (var round = 0; round < 5; round = round + 1) {
        root = root - (root - x / (root * root)) / 3.0lf;
    }
    return copysign_T(select(root, root / 262144.0lf, small), a);
}";

// Sine, cosine, tangent: a = q * pi/2 + r + rest, with r at most pi/4 and rest what r lost.

const SIN: &str = "
fn sin_T(a: T) -> T {
    let turn = turn_T(a);
    let quarter = u32(i32(turn.x)) & 3u;
    let odd = (quarter & 1u) == 1u;
    let size = select(near_sin_T(turn.y, turn.z), near_cos_T(turn.y, turn.z), odd);
    return select(size, -size, quarter >= 2u);
}";

const COS: &str = "
fn cos_T(a: T) -> T {
    let turn = turn_T(a);
    let quarter = u32(i32(turn.x)) & 3u;
    let odd = (quarter & 1u) == 1u;
    let size = select(near_cos_T(turn.y, turn.z), near_sin_T(turn.y, turn.z), odd);
    return select(size, -size, quarter == 1u || quarter == 2u);
}";

const TAN: &str = "
fn tan_T(a: T) -> T {
    let turn = turn_T(a);
    let sine = near_sin_T(turn.y, turn.z);
    let cosine = near_cos_T(turn.y, turn.z);
    return select(sine / cosine, -cosine / sine, (u32(i32(turn.x)) & 1u) == 1u);
}";

const NEAR_SIN: &str = "
fn near_sin_T(r: T, rest: T) -> T {
    let z = r * r;
    var sum = 2.8114572543455206e-15lf;
    sum = sum * z + -7.647163731819816e-13lf;
    sum = sum * z + 1.6059043836821613e-10lf;
    sum = sum * z + -2.505210838544172e-08lf;
    sum = sum * z + 2.7557319223985893e-06lf;
    sum = sum * z + -0.0001984126984126984lf;
    sum = sum * z + 0.008333333333333333lf;
    sum = sum * z + -0.16666666666666666lf;
    return r + (r * z * sum + rest * (1.0lf - 0.5lf * z));
}";

const NEAR_COS: &str = "
fn near_cos_T(r: T, rest: T) -> T {
    let z = r * r;
    let half = 0.5lf * z;
    let near = 1.0lf - half;
    var sum = -1.5619206968586225e-16lf;
    sum = sum * z + 4.779477332387385e-14lf;
    sum = sum * z + -1.1470745597729725e-11lf;
    sum = sum * z + 2.08767569878681e-09lf;
    sum = sum * z + -2.755731922398589e-07lf;
    sum = sum * z + 2.48015873015873e-05lf;
    sum = sum * z + -0.001388888888888889lf;
    sum = sum * z + 0.041666666666666664lf;
    return near + (((1.0lf - near) - half) + (z * z * sum - r * rest));
}";

// The vector (q, r, rest). pi/2 is split in three; multiples of the first two parts are exact.
const TURN: &str = "
fn turn_T(a: T) -> vec3<T> {
    if (isnan_T(a) || isinf_T(a)) { return vec3<T>(0.0lf, from_bits_T(~U(0)), 0.0lf); }
    if (abs(a) > 100000.0lf) { return turn_far_T(a); }
    let q = round(a * 0.6366197723675814lf);
    let first = a - q * 1.5707963267341256lf;
    let part = q * 6.077100506303966e-11lf;
    let second = first - part;
    let lost = ((first - second) - part) - q * 2.0222662487959506e-21lf;
    let r = second + lost;
    return vec3<T>(q, r, (second - r) + lost);
}";

// Far from 0, a = m * 2^e with an integer m of 53 bits. Of 2/pi only those 192 bits matter whose products with
// a are less than 4 and not too small; times m they give a * 2/pi modulo 4.
const TURN_FAR: &str = "
const two_over_pi = array<u32, 40>(
    0u, 0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u,
    0xfe5163abu, 0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
    0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu, 0xbdf9283bu,
    0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u, 0x9e5fea2du,
    0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u, 0x56033046u, 0xfc7b6babu,
);

fn turn_far_T(a: T) -> vec3<T> {
    let bits = bitcast<u64>(a) & 0x7ffffffffffffffflu;
    let first = u32(bits >> 52u) - 1013u;
    let m = (bits & 0x000ffffffffffffflu) | 0x0010000000000000lu;
    let low = m & 0xfffffffflu;
    let high = m >> 32u;
    var words = two_over_pi;
    var product: array<u32, 6>;
    var carry = 0lu;
    var before = 0lu;
    for (var at = 0u; at < 6u; at = at + 1u) {
        let place = first / 32u + 5u - at;
        let pair = (u64(words[place]) << 32u) | u64(words[place + 1u]);
        let word = (pair >> (32u - first % 32u)) & 0xfffffffflu;
        let one = word * low;
        let two = before * high;
        let sum = (one & 0xfffffffflu) + (two & 0xfffffffflu) + (carry & 0xfffffffflu);
        product[at] = u32(sum);
        carry = (one >> 32u) + (two >> 32u) + (carry >> 32u) + (sum >> 32u);
        before = word;
    }
    let top = (u64(product[5]) << 32u) | u64(product[4]);
    let next = (u64(product[3]) << 32u) | u64(product[2]);
    let fraction = (top << 2u) | (next >> 62u);
    let near = bitcast<i64>(fraction);
    let q = T(u32(top >> 62u) + u32(near < 0li));
    let tail = T(fraction & 0x7fflu) * 5.421010862427522e-20lf + T(next << 2u) * 2.938735877055719e-39lf;
    let lead = T(near >> 11u) * 1.1102230246251565e-16lf;
    let turns = lead + tail;
    let lost = (lead - turns) + tail;
    let turns_high = high_half_T(turns);
    let turns_low = turns - turns_high;
    let r = turns * 1.5707963267948966lf;
    let error = ((turns_high * 1.5707963109016418lf - r) + turns_high * 1.5893254712295857e-08lf
        + turns_low * 1.5707963109016418lf) + turns_low * 1.5893254712295857e-08lf;
    let rest = error + turns * 6.123233995736766e-17lf + lost * 1.5707963267948966lf;
    return select(vec3<T>(q, r, rest), vec3<T>(-q, -r, -rest), a < 0.0lf);
}";

// The arctangent of t from 0 to 1 is that of the nearest eighth c and that of (t - c) / (1 + t * c).
const ATAN: &str = "
const atan_of_eighths = array<f64, 9>(
    0.0lf, 0.12435499454676144lf, 0.24497866312686414lf, 0.35877067027057225lf, 0.4636476090008061lf,
    0.5585993153435624lf, 0.6435011087932844lf, 0.7188299996216245lf, 0.7853981633974483lf,
);

fn atan_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    let steep = abs(a) > 1.0lf;
    let t = select(abs(a), 1.0lf / abs(a), steep);
    let eighths = round(t * 8.0lf);
    let c = eighths * 0.125lf;
    let s = (t - c) / (1.0lf + t * c);
    let z = s * s;
    var sum = 0.058823529411764705lf;
    sum = sum * z + -0.06666666666666667lf;
    sum = sum * z + 0.07692307692307693lf;
    sum = sum * z + -0.09090909090909091lf;
    sum = sum * z + 0.1111111111111111lf;
    sum = sum * z + -0.14285714285714285lf;
    sum = sum * z + 0.2lf;
    sum = sum * z + -0.3333333333333333lf;
    var known = atan_of_eighths;
    let angle = known[u32(eighths)] + (s + s * z * sum);
    return copysign_T(select(angle, 1.5707963267948966lf - (angle - 6.123233995736766e-17lf), steep), a);
}";

const ATAN2: &str = "
fn atan2_T(y: T, x: T) -> T {
    if (isnan_T(x) || isnan_T(y)) { return x + y; }
    let behind = (bitcast<U>(x) >> 63u) == 1lu;
    if (y == 0.0lf) { return copysign_T(select(0.0lf, 3.141592653589793lf, behind), y); }
    var angle = 0.7853981633974483lf;
    if (!(isinf_T(x) && isinf_T(y))) { angle = atan_T(abs(y) / abs(x)); }
    return copysign_T(select(angle, 3.141592653589793lf - (angle - 1.2246467991473532e-16lf), behind), y);
}";

const ASIN: &str = "
fn asin_T(a: T) -> T {
    let size = abs(a);
    if (isnan_T(a) || size > 1.0lf) { return from_bits_T(~U(0)); }
    return copysign_T(atan_T(size / sqrt((1.0lf - size) * (1.0lf + size))), a);
}";

const ACOS: &str = "
fn acos_T(a: T) -> T {
    if (isnan_T(a) || abs(a) > 1.0lf) { return from_bits_T(~U(0)); }
    return 2.0lf * atan_T(sqrt((1.0lf - a) / (1.0lf + a)));
}";

// Hyperbolic functions. Beyond 709 the exponential overflows before they do.

// From 0 to 1.
const NEAR_SINH: &str = "
fn near_sinh_T(a: T) -> T {
    let z = a * a;
    var sum = 8.22063524662433e-18lf;
    sum = sum * z + 2.8114572543455206e-15lf;
    sum = sum * z + 7.647163731819816e-13lf;
    sum = sum * z + 1.6059043836821613e-10lf;
    sum = sum * z + 2.505210838544172e-08lf;
    sum = sum * z + 2.7557319223985893e-06lf;
    sum = sum * z + 0.0001984126984126984lf;
    sum = sum * z + 0.008333333333333333lf;
    sum = sum * z + 0.16666666666666666lf;
    return a + a * z * sum;
}";

const SINH: &str = "
fn sinh_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    let size = abs(a);
    if (size < 1.0lf) { return near_sinh_T(a); }
    let power = exp_T(min(size, 709.0lf));
    let beyond = exp_T(size - min(size, 709.0lf));
    return copysign_T((0.5lf * power - 0.5lf / power) * beyond, a);
}";

const COSH: &str = "
fn cosh_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    let size = abs(a);
    let power = exp_T(min(size, 709.0lf));
    let beyond = exp_T(size - min(size, 709.0lf));
    return (0.5lf * power + 0.5lf / power) * beyond;
}";

const TANH: &str = "
fn tanh_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    let size = abs(a);
    if (size < 1.0lf) {
        let sine = near_sinh_T(a);
        return sine / sqrt(1.0lf + sine * sine);
    }
    return copysign_T(1.0lf - 2.0lf / (exp_T(2.0lf * size) + 1.0lf), a);
}";

const ASINH: &str = "
fn asinh_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    let size = abs(a);
    if (size > 1e8lf) { return copysign_T(log_T(size) + 0.6931471805599453lf, a); }
    return copysign_T(log1p_T(size + size * size / (1.0lf + sqrt(1.0lf + size * size))), a);
}";

const ACOSH: &str = "
fn acosh_T(a: T) -> T {
    if (isnan_T(a) || a < 1.0lf) { return from_bits_T(~U(0)); }
    if (a > 1e8lf) { return log_T(a) + 0.6931471805599453lf; }
    let t = a - 1.0lf;
    return log1p_T(t + sqrt(2.0lf * t + t * t));
}";

const ATANH: &str = "
fn atanh_T(a: T) -> T {
    let size = abs(a);
    if (isnan_T(a) || size > 1.0lf) { return from_bits_T(~U(0)); }
    if (size == 1.0lf) { return copysign_T(inf_T(), a); }
    return copysign_T(0.5lf * log1p_T(2.0lf * size / (1.0lf - size)), a);
}";
