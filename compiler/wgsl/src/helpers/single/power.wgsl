// Powers of a positive number. The logarithm, and its product with the exponent, are sums of two numbers. With s as below, the
// logarithm is k plus that of (1 + s) / (1 - s); `s_rest` is the rounding error of s.

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
}

// The vector (product, rounding error). Halves of 12 bits have exact products.
fn product_T(a: T, b: T) -> vec2<T> {
    let product = a * b;
    let a_high = high_half_T(a);
    let a_low = a - a_high;
    let b_high = high_half_T(b);
    let b_low = b - b_high;
    return vec2<T>(product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low);
}

fn high_half_T(a: T) -> T { return bitcast<T>(bitcast<U>(a) & 0xfffff000u); }
