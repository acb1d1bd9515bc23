// The cube root: a guess, and one step of Newton's method.

fn cbrt_T(a: T) -> T {
    if (a == T(0) || isnan_T(a) || isinf_T(a)) { return a; }
    let lifted = a * lift_T(a);
    let guess = select(T(1), T(-1), a < T(0)) * exp2(log2(abs(lifted)) / T(3));
    let root = guess - (guess - lifted / (guess * guess)) / T(3);
    return select(root, root * T(0.00390625), lift_T(a) > T(1));
}
