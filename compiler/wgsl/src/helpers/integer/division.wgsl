// Signed integer division. WGSL rounds towards zero; the least number divided by -1 would overflow.

fn quot_T(a: T, b: T) -> T {
    if (b == T(-1)) { return T(0) - a; }
    return a / b;
}

fn rem_T(a: T, b: T) -> T {
    if (b == T(-1)) { return T(0); }
    return a % b;
}

fn div_T(a: T, b: T) -> T {
    let q = quot_T(a, b);
    return select(q, q - T(1), q * b != a && (a < T(0)) != (b < T(0)));
}

fn mod_T(a: T, b: T) -> T {
    let r = rem_T(a, b);
    return select(r, r + b, r != T(0) && (r < T(0)) != (b < T(0)));
}
