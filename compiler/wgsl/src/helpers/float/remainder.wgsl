// The remainder of floats, by long division in binary: every subtraction is exact, because step <= rest < 2 * step.

fn mod_T(a: T, b: T) -> T {
    if (isnan_T(a) || isnan_T(b)) { return a + b; }
    if (isinf_T(a) || b == T(0)) { return from_bits_T(~U(0)); }
    if (isinf_T(b)) { return a; }
    var rest = abs(a);
    let size = abs(b);
    var step = size;
    while (step <= rest * T(0.5)) { step = step + step; }
    while (rest >= size) {
        if (rest >= step) { rest = rest - step; }
        step = step * T(0.5);
    }
    return copysign_T(rest, a);
}
