// Hyperbolic functions.

fn sinh_T(a: T) -> T {
    if (abs(a) < T(1)) { return near_sinh_T(a); }
    let root = exp_T(abs(a) * T(0.5));
    return copysign_T((T(0.5) * root) * root - (T(0.5) / root) / root, a);
}

// Multiplies twice by the square root of the exponential: the exponential itself would overflow before the result does.
fn cosh_T(a: T) -> T {
    let root = exp_T(abs(a) * T(0.5));
    return (T(0.5) * root) * root + (T(0.5) / root) / root;
}

fn tanh_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    if (abs(a) < T(1)) {
        let sine = near_sinh_T(a);
        return sine / sqrt(T(1) + sine * sine);
    }
    return copysign_T(T(1) - T(2) / (exp_T(T(2) * min(abs(a), T(20))) + T(1)), a);
}

// The hyperbolic sine between 0 and 1.
fn near_sinh_T(a: T) -> T {
    let z = a * a;
    var sum = T(2.75573192e-6);
    sum = sum * z + T(0.000198412698);
    sum = sum * z + T(0.00833333333);
    sum = sum * z + T(0.166666667);
    return a + a * z * sum;
}
