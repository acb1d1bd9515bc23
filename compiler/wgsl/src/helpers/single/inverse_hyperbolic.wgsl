// Inverse hyperbolic functions.

fn asinh_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    let size = abs(a);
    if (size > T(10000)) { return copysign_T(log(size) + T(0.693147181), a); }
    return copysign_T(log1p_T(size + size * size / (T(1) + sqrt(T(1) + size * size))), a);
}

fn acosh_T(a: T) -> T {
    if (a < T(1)) { return from_bits_T(~U(0)); }
    if (a > T(10000)) { return log(a) + T(0.693147181); }
    let beyond = a - T(1);
    return log1p_T(beyond + sqrt(T(2) * beyond + beyond * beyond));
}

// Near 0 by its series; the built-in function loses the sign of 0 there.
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
}
