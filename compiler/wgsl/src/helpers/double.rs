//! The elementary functions and the roundings in f64. Devices have arithmetic and the square root in f64, and nothing else
//! that is right on all of them.
//!
//! Each function brings its argument to a number near 0 and sums a series there whose
//! coefficients are simple fractions. Where a step would lose digits, what it loses is computed and
//! carried along as a second, small number. The results are off by two units in the last place at most: `docs/accuracy.md`.

use super::Template;

/// The template of a helper for f64, if it is one of these.
pub(super) fn template(name: &str) -> Option<Template> {
    Some(match name {
        "trunc" => (TRUNC, &[]),
        "floor" => (FLOOR, &["trunc"]),
        "ceil" => (CEIL, &["trunc"]),
        "round" => (ROUND, &["trunc", "copysign"]),
        "exp" => (EXP, &["isnan", "inf", "exp_of_sum"]),
        "exp_of_sum" => (EXP_OF_SUM, &["scale"]),
        "scale" => (SCALE, &["power_of_two"]),
        "power_of_two" => (POWER_OF_TWO, &[]),
        "log" => (LOG, &["isnan", "inf", "from_bits", "parts", "log_series"]),
        "log_series" => (LOG_SERIES, &["log_tail"]),
        "log_tail" => (LOG_TAIL, &[]),
        "parts" => (PARTS, &[]),
        "log2" => (LOG2, &["inf", "log", "parts"]),
        "log10" => (LOG10, &["inf", "log", "parts"]),
        "log1p" => (LOG1P, &["log"]),
        "power" => (POWER, &["inf", "parts", "log_tail", "product", "exp_of_sum"]),
        "product" => (PRODUCT, &["high_half"]),
        "high_half" => (HIGH_HALF, &[]),
        "quotient" => (QUOTIENT, &["product"]),
        "cbrt" => (CBRT, &["isnan", "isinf", "copysign"]),
        "hypot" => (HYPOT, &["isnan", "isinf"]),
        "sin" => (SIN, &["turn", "near_sin", "near_cos"]),
        "cos" => (COS, &["turn", "near_sin", "near_cos"]),
        "tan" => (TAN, &["turn", "near_sin", "near_cos", "quotient"]),
        "near_sin" => (NEAR_SIN, &[]),
        "near_cos" => (NEAR_COS, &[]),
        "turn" => (TURN, &["isnan", "isinf", "from_bits", "turn_far"]),
        "turn_far" => (TURN_FAR, &["two_over_pi", "product"]),
        "atan" => (ATAN, &["isnan", "angle", "copysign"]),
        "atan2" => (ATAN2, &["isnan", "isinf", "angle", "copysign"]),
        "angle" => (ANGLE, &["inf", "product"]),
        "asin" => (ASIN, &["from_bits", "isnan", "asin_series", "half_angle", "copysign"]),
        "acos" => (ACOS, &["from_bits", "isnan", "asin_series", "half_angle"]),
        "asin_series" => (ASIN_SERIES, &[]),
        "half_angle" => (HALF_ANGLE, &["asin_series", "product"]),
        "sinh" => (SINH, &["isnan", "near_sinh", "exp", "copysign"]),
        "near_sinh" => (NEAR_SINH, &[]),
        "cosh" => (COSH, &["isnan", "exp"]),
        "tanh" => (TANH, &["isnan", "exp", "copysign"]),
        "asinh" => (ASINH, &["isnan", "log", "log1p", "copysign"]),
        "acosh" => (ACOSH, &["isnan", "from_bits", "log", "log1p"]),
        "atanh" => (ATANH, &["isnan", "inf", "from_bits", "log_series", "log1p", "copysign"]),
        _ => return None,
    })
}

// Roundings. Those that are built in are made of f32's on some devices: they leave numbers above 2^24 as they are, and 1.5
// becomes 1. They do below, where the integer next to the nearest one is as good.

const TRUNC: &str = "
fn trunc_T(a: T) -> T {
    let bits = bitcast<u64>(a);
    let exponent = u32(bits >> 52u) & 0x7ffu;
    if (exponent < 1023u) { return bitcast<T>(bits & 0x8000000000000000lu); }
    if (exponent >= 1075u) { return a; }
    return bitcast<T>(bits & ~(0x000ffffffffffffflu >> (exponent - 1023u)));
}";

const FLOOR: &str = "
fn floor_T(a: T) -> T {
    let whole = trunc_T(a);
    return select(whole, whole - 1.0lf, a < whole);
}";

const CEIL: &str = "
fn ceil_T(a: T) -> T {
    let whole = trunc_T(a);
    return select(whole, whole + 1.0lf, whole < a);
}";

const ROUND: &str = "
fn round_T(a: T) -> T {
    let whole = trunc_T(a);
    let rest = abs(a - whole);
    let odd = trunc_T(whole * 0.5lf) * 2.0lf != whole;
    let away = rest > 0.5lf || (rest == 0.5lf && odd);
    return select(whole, whole + copysign_T(1.0lf, a), away);
}";

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
fn log_series_T(z: T) -> T { return z * (0.6666666666666666lf + log_tail_T(z)); }";

// Of that, what follows its first term.
const LOG_TAIL: &str = "
fn log_tail_T(z: T) -> T {
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

// The product, and what it lost: the vector (product, rest).
const PRODUCT: &str = "
fn product_T(a: T, b: T) -> vec2<T> {
    let product = a * b;
    let a_high = high_half_T(a);
    let a_low = a - a_high;
    let b_high = high_half_T(b);
    let b_low = b - b_high;
    return vec2<T>(product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low);
}";

// The quotient of two numbers, each with a small rest.
const QUOTIENT: &str = "
fn quotient_T(a: vec2<T>, b: vec2<T>) -> T {
    let quotient = a.x / b.x;
    let back = product_T(quotient, b.x);
    return quotient + (((a.x - back.x) - back.y) + (a.y - quotient * b.y)) / b.x;
}";

// A positive number to a power: the logarithm, and its product with the exponent, are sums of two. Of the logarithm
// of (1 + s) / (1 - s), which is 2 * s + s * z * (2/3 + tail), all is that but the tail.
const POWER: &str = "
fn power_T(a: T, b: T) -> T {
    let parts = parts_T(a);
    let f = parts.x - 1.0lf;
    let divisor = 2.0lf + f;
    let s = f / divisor;
    let back = product_T(s, divisor);
    let s_rest = (((f - back.x) - back.y) - s * (f - (divisor - 2.0lf))) / divisor;

    let z = product_T(s, s);
    let z_rest = z.y + 2.0lf * s * s_rest;
    let tail = log_tail_T(z.x);
    let factor = 0.6666666666666666lf + tail;
    let factor_rest = (0.6666666666666666lf - factor) + tail + 3.700743415417188e-17lf;
    let cube = product_T(s, z.x);
    let cube_rest = cube.y + s * z_rest + s_rest * z.x;
    let series = product_T(cube.x, factor);
    let series_rest = series.y + cube.x * factor_rest + cube_rest * factor;

    let whole = parts.y * 0.6931471803691238lf;
    let rough = whole + 2.0lf * s;
    let of_s = rough - whole;
    let lost = (whole - (rough - of_s)) + (2.0lf * s - of_s);
    let near = rough + series.x;
    let rest = ((rough - near) + series.x) + lost + 2.0lf * s_rest + series_rest + parts.y * 1.9082149292705877e-10lf;
    let log = near + rest;
    let log_rest = (near - log) + rest;

    let exponent = product_T(b, log);
    if (exponent.x > 710.0lf) { return inf_T(); }
    if (exponent.x < -746.0lf) { return 0.0lf; }
    return exp_of_sum_T(exponent.x, exponent.y + b * log_rest);
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

// Powers of two keep the squares away from where numbers end.
const HYPOT: &str = "
fn hypot_T(a: T, b: T) -> T {
    if (isinf_T(a) || isinf_T(b)) { return abs(select(b, a, isinf_T(a))); }
    if (isnan_T(a) || isnan_T(b)) { return a + b; }
    let long = max(abs(a), abs(b));
    var scale = 1.0lf;
    if (long > 1e150lf) { scale = 2.409919865102884e-181lf; }
    if (long < 1e-150lf) { scale = 4.149515568880993e+180lf; }
    let x = a * scale;
    let y = b * scale;
    return sqrt(x * x + y * y) / scale;
}";

// Sine, cosine, tangent: a = q * pi/2 + r + rest, with r at most pi/4 and rest what r lost. Near 0, sine and cosine
// have a rest too.

const SIN: &str = "
fn sin_T(a: T) -> T {
    if (a == 0.0lf) { return a; }
    let turn = turn_T(a);
    let quarter = u32(i32(turn.x)) & 3u;
    let odd = (quarter & 1u) == 1u;
    let size = select(near_sin_T(turn.y, turn.z), near_cos_T(turn.y, turn.z), odd).x;
    return select(size, -size, quarter >= 2u);
}";

const COS: &str = "
fn cos_T(a: T) -> T {
    let turn = turn_T(a);
    let quarter = u32(i32(turn.x)) & 3u;
    let odd = (quarter & 1u) == 1u;
    let size = select(near_cos_T(turn.y, turn.z), near_sin_T(turn.y, turn.z), odd).x;
    return select(size, -size, quarter == 1u || quarter == 2u);
}";

const TAN: &str = "
fn tan_T(a: T) -> T {
    if (a == 0.0lf) { return a; }
    let turn = turn_T(a);
    let sine = near_sin_T(turn.y, turn.z);
    let cosine = near_cos_T(turn.y, turn.z);
    if ((u32(i32(turn.x)) & 1u) == 1u) { return quotient_T(-cosine, sine); }
    return quotient_T(sine, cosine);
}";

const NEAR_SIN: &str = "
fn near_sin_T(r: T, rest: T) -> vec2<T> {
    let z = r * r;
    var sum = 2.8114572543455206e-15lf;
    sum = sum * z + -7.647163731819816e-13lf;
    sum = sum * z + 1.6059043836821613e-10lf;
    sum = sum * z + -2.505210838544172e-08lf;
    sum = sum * z + 2.7557319223985893e-06lf;
    sum = sum * z + -0.0001984126984126984lf;
    sum = sum * z + 0.008333333333333333lf;
    sum = sum * z + -0.16666666666666666lf;
    let beyond = r * z * sum + rest * (1.0lf - 0.5lf * z);
    let sine = r + beyond;
    return vec2<T>(sine, (r - sine) + beyond);
}";

const NEAR_COS: &str = "
fn near_cos_T(r: T, rest: T) -> vec2<T> {
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
    let beyond = ((1.0lf - near) - half) + (z * z * sum - r * rest);
    let cosine = near + beyond;
    return vec2<T>(cosine, (near - cosine) + beyond);
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
// a are less than 4 and not too small; times m they give a * 2/pi modulo 4. Its distance from the nearest integer is
// taken from there, so that it keeps its digits also where it is small.
const TURN_FAR: &str = "
fn turn_far_T(a: T) -> vec3<T> {
    let bits = bitcast<u64>(a) & 0x7ffffffffffffffflu;
    let first = u32(bits >> 52u) - 1013u;
    let m = (bits & 0x000ffffffffffffflu) | 0x0010000000000000lu;
    let low = m & 0xfffffffflu;
    let high = m >> 32u;
    var words = two_over_pi_T;
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
    let beyond = (fraction >> 63u) == 1lu;
    let q = T(u32(top >> 62u) + u32(beyond));
    let size = select(fraction, ~fraction, beyond);
    let small = select(next << 2u, ~(next << 2u), beyond);
    let lead = T(size >> 11u) * 1.1102230246251565e-16lf;
    let tail = T(size & 0x7fflu) * 5.421010862427522e-20lf + T(small) * 2.938735877055719e-39lf;
    let turns = lead + tail;
    let lost = (lead - turns) + tail;
    let angle = product_T(turns, 1.5707963267948966lf);
    let r = angle.x;
    let rest = angle.y + turns * 6.123233995736766e-17lf + lost * 1.5707963267948966lf;
    let near = select(vec2<T>(r, rest), vec2<T>(-r, -rest), beyond != (a < 0.0lf));
    return vec3<T>(select(q, -q, a < 0.0lf), near.x, near.y);
}";

const ATAN: &str = "
fn atan_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    return copysign_T(angle_T(abs(a), 1.0lf), a);
}";

// The angle of a point in the first quadrant. The arctangent of t from 0 to 1, which has a rest, is that of an eighth c near
// to it, as a sum of two, and that of (t - c) / (1 + t * c). That is at most a sixteenth, but for small t, where c is 0.
const ANGLE: &str = "
const atan_of_eighths = array<vec2<f64>, 9>(
    vec2<f64>(0.0lf, 0.0lf), vec2<f64>(0.12435499454676144lf, -3.1253241424539383e-18lf), vec2<f64>(0.24497866312686414lf, 1.0698755618734451e-17lf),
    vec2<f64>(0.35877067027057225lf, -2.4623815582638635e-17lf), vec2<f64>(0.4636476090008061lf, 2.2698777452961687e-17lf), vec2<f64>(0.5585993153435624lf, -5.4556305485916264e-18lf),
    vec2<f64>(0.6435011087932844lf, 1.5834785051444286e-17lf), vec2<f64>(0.7188299996216245lf, -2.1478388444456983e-17lf), vec2<f64>(0.7853981633974483lf, 3.061616997868383e-17lf),
);

fn angle_T(y: T, x: T) -> T {
    let less = min(x, y);
    let large = max(x, y);
    let t = less / large;
    let back = product_T(t, large);
    let t_rest = ((less - back.x) - back.y) / large;
    let small = select(0.0lf, t_rest / (1.0lf + t * t), less > 1e-290lf && large < inf_T());
    let eighths = select(round(t * 8.0lf), 0.0lf, t < 0.3125lf);
    let c = eighths * 0.125lf;
    let s = (t - c) / (1.0lf + t * c);
    let z = s * s;
    var sum = 0.03094516375146667lf;
    sum = sum * z + -0.04945421597717741lf;
    sum = sum * z + 0.058473478462439464lf;
    sum = sum * z + -0.06664294343464526lf;
    sum = sum * z + 0.07692207285154261lf;
    sum = sum * z + -0.09090906490114506lf;
    sum = sum * z + 0.11111111072283873lf;
    sum = sum * z + -0.1428571428541919lf;
    sum = sum * z + 0.1999999999999913lf;
    sum = sum * z + -0.3333333333333333lf;
    var known = atan_of_eighths;
    let start = known[u32(eighths)];
    if (y <= x) { return start.x + (s + (s * z * sum + (start.y + small))); }
    let rest = 1.5707963267948966lf - start.x;
    let lost = (1.5707963267948966lf - rest) - start.x + (6.123233995736766e-17lf - start.y);
    return rest - (s + (s * z * sum + (small - lost)));
}";

const ATAN2: &str = "
fn atan2_T(y: T, x: T) -> T {
    if (isnan_T(x) || isnan_T(y)) { return x + y; }
    let behind = (bitcast<U>(x) >> 63u) == 1lu;
    if (y == 0.0lf) { return copysign_T(select(0.0lf, 3.141592653589793lf, behind), y); }
    var angle = 0.7853981633974483lf;
    if (!(isinf_T(x) && isinf_T(y))) { angle = angle_T(abs(y), abs(x)); }
    return copysign_T(select(angle, 3.141592653589793lf - (angle - 1.2246467991473532e-16lf), behind), y);
}";

// For z = x * x up to 1/4: (asin(x) / x - 1) / z.
const ASIN_SERIES: &str = "
fn asin_series_T(z: T) -> T {
    var sum = 0.02961201126495512lf;
    sum = sum * z + -0.01924167174674304lf;
    sum = sum * z + 0.019554513336123378lf;
    sum = sum * z + 0.0030448799094556773lf;
    sum = sum * z + 0.009319560794767446lf;
    sum = sum * z + 0.009621842970100282lf;
    sum = sum * z + 0.011566459612121669lf;
    sum = sum * z + 0.01396378001220357lf;
    sum = sum * z + 0.017352816540325496lf;
    sum = sum * z + 0.02237215744350722lf;
    sum = sum * z + 0.03038194447553234lf;
    sum = sum * z + 0.044642857142551895lf;
    sum = sum * z + 0.07500000000000118lf;
    return sum * z + 0.16666666666666666lf;
}";

// Half of the angle whose cosine is `size`, from 1/2 to 1, as a sum of two.
const HALF_ANGLE: &str = "
fn half_angle_T(size: T) -> vec2<T> {
    let z = (1.0lf - size) * 0.5lf;
    let sine = sqrt(z);
    let square = product_T(sine, sine);
    let lost = ((z - square.x) - square.y) / max(sine + sine, 1e-300lf);
    return vec2<T>(sine, lost + sine * z * asin_series_T(z));
}";

const ASIN: &str = "
fn asin_T(a: T) -> T {
    let size = abs(a);
    if (isnan_T(a) || size > 1.0lf) { return from_bits_T(~U(0)); }
    if (size <= 0.5lf) { return a + a * a * a * asin_series_T(a * a); }
    let half = half_angle_T(size);
    let rest = 1.5707963267948966lf - 2.0lf * half.x;
    let lost = (1.5707963267948966lf - rest) - 2.0lf * half.x + 6.123233995736766e-17lf;
    return copysign_T(rest - (2.0lf * half.y - lost), a);
}";

const ACOS: &str = "
fn acos_T(a: T) -> T {
    let size = abs(a);
    if (isnan_T(a) || size > 1.0lf) { return from_bits_T(~U(0)); }
    if (size <= 0.5lf) {
        let rest = 1.5707963267948966lf - a;
        let lost = (1.5707963267948966lf - rest) - a + 6.123233995736766e-17lf;
        return rest - (a * a * a * asin_series_T(a * a) - lost);
    }
    let half = half_angle_T(size);
    if (a > 0.0lf) { return 2.0lf * (half.x + half.y); }
    let rest = 3.141592653589793lf - 2.0lf * half.x;
    let lost = (3.141592653589793lf - rest) - 2.0lf * half.x + 1.2246467991473532e-16lf;
    return rest - (2.0lf * half.y - lost);
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

// Near 0 by the beginning of its continued fraction.
const TANH: &str = "
fn tanh_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    let size = abs(a);
    if (size < 0.55lf) {
        let z = a * a;
        let over = ((z + 594.0lf) * z + 45045.0lf) * z + 675675.0lf;
        let under = (((z + 630.0lf) * z + 51975.0lf) * z + 945945.0lf) * z + 2027025.0lf;
        return copysign_T(a - a * z * (over / under), a);
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

// Near 1 by the series of the inverse hyperbolic sine of the half.
const ACOSH: &str = "
fn acosh_T(a: T) -> T {
    if (isnan_T(a) || a < 1.0lf) { return from_bits_T(~U(0)); }
    if (a > 1e8lf) { return log_T(a) + 0.6931471805599453lf; }
    let t = a - 1.0lf;
    if (t < 0.0625lf) {
        let root = sqrt(2.0lf * t);
        let z = 0.5lf * t;
        let high = 0.01396484375lf - z * (0.011551800896139705lf - z * 0.009761609529194078lf);
        let middle = 0.030381944444444444lf - z * (0.022372159090909092lf - z * (0.017352764423076924lf - z * high));
        return root - root * z * (0.16666666666666666lf - z * (0.075lf - z * (0.044642857142857144lf - z * middle)));
    }
    return log1p_T(t + sqrt(2.0lf * t + t * t));
}";

const ATANH: &str = "
fn atanh_T(a: T) -> T {
    let size = abs(a);
    if (isnan_T(a) || size > 1.0lf) { return from_bits_T(~U(0)); }
    if (size == 1.0lf) { return copysign_T(inf_T(), a); }
    if (size < 0.17lf) { return a + 0.5lf * a * log_series_T(a * a); }
    return copysign_T(0.5lf * (log1p_T(size) - log1p_T(-size)), a);
}";
