// Logarithms. ln 2 is split in two, so that multiples of its parts by an exponent are exact.

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
}

fn log2_T(a: T) -> T {
    if (!(a > 0.0lf) || a == inf_T()) { return log_T(a); }
    let parts = parts_T(a);
    return parts.y + log_T(parts.x) * 1.4426950408889634lf;
}

fn log10_T(a: T) -> T {
    if (!(a > 0.0lf) || a == inf_T()) { return log_T(a); }
    let parts = parts_T(a);
    return parts.y * 0.3010299956639812lf + log_T(parts.x) * 0.4342944819032518lf;
}

// log(1 + a). The second term is the rounding error of the sum.
fn log1p_T(a: T) -> T {
    let sum = 1.0lf + a;
    return log_T(sum) + (a - (sum - 1.0lf)) / sum;
}

// The vector (m, k) of a positive number m * 2^k, where m is between sqrt 1/2 and sqrt 2.
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
}

// For z = s * s: log((1 + s) / (1 - s)) / s - 2.
fn log_series_T(z: T) -> T { return z * (0.6666666666666666lf + log_tail_T(z)); }

// The same without the first term of the series.
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
}
