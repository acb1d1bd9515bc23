// Rounding in f64. Some devices build these functions on f32: they leave numbers above 2^24 unchanged, and 1.5 becomes 1.

fn trunc_T(a: T) -> T {
    let bits = bitcast<u64>(a);
    let exponent = u32(bits >> 52u) & 0x7ffu;
    if (exponent < 1023u) { return bitcast<T>(bits & 0x8000000000000000lu); }
    if (exponent >= 1075u) { return a; }
    return bitcast<T>(bits & ~(0x000ffffffffffffflu >> (exponent - 1023u)));
}

fn floor_T(a: T) -> T {
    let whole = trunc_T(a);
    return select(whole, whole - 1.0lf, a < whole);
}

fn ceil_T(a: T) -> T {
    let whole = trunc_T(a);
    return select(whole, whole + 1.0lf, whole < a);
}

fn round_T(a: T) -> T {
    let whole = trunc_T(a);
    let rest = abs(a - whole);
    let odd = trunc_T(whole * 0.5lf) * 2.0lf != whole;
    let away = rest > 0.5lf || (rest == 0.5lf && odd);
    return select(whole, whole + copysign_T(1.0lf, a), away);
}
