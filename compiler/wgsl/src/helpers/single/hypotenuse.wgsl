// The hypotenuse. Dividing by the longer side keeps its square from overflowing.

fn hypot_T(a: T, b: T) -> T {
    if (isinf_T(a) || isinf_T(b)) { return abs(select(b, a, isinf_T(a))); }
    if (isnan_T(a) || isnan_T(b)) { return a + b; }
    let long = select(abs(b), abs(a), abs(b) < abs(a));
    let short = select(abs(a), abs(b), abs(b) < abs(a));
    if (long == T(0)) { return long; }
    let ratio = short / long;
    return long * sqrt(T(1) + ratio * ratio);
}
