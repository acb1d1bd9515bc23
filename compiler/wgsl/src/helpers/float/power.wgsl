// Powers of floats: the special cases, and the sign. `power` computes the power of a positive number.

fn pow_T(a: T, b: T) -> T {
    if (b == T(0) || a == T(1)) { return T(1); }
    if (isnan_T(a) || isnan_T(b)) { return a + b; }
    let size = abs(a);
    let infinity = inf_T();
    if (isinf_T(b)) {
        if (size == T(1)) { return T(1); }
        return select(T(0), infinity, (size > T(1)) == (b > T(0)));
    }
    var power = power_T(size, b);
    if (size == T(0)) { power = select(T(0), infinity, b < T(0)); }
    if (isinf_T(size)) { power = select(infinity, T(0), b < T(0)); }
    if ((bitcast<U>(a) >> (u32(W) - 1u)) == U(0)) { return power; }
    let half = b * T(0.5);
    if (trunc_T(b) == b) { return select(power, -power, trunc_T(half) != half); }
    if (size == T(0) || isinf_T(size)) { return power; }
    return from_bits_T(~U(0));
}
