// The hypotenuse. A power of two scales the sides, so that their squares neither overflow nor vanish.

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
}
