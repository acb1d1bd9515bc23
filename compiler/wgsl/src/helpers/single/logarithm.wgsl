// Logarithms. Near 1, devices bound only the absolute error; they may not compute the logarithm of subnormal numbers at all.

fn log_T(a: T) -> T {
    if (abs(a - T(1)) < T(0.25)) { return log_series_T(a); }
    return log(a * lift_T(a)) - select(T(0), T(16.6355323), lift_T(a) > T(1));
}

fn log2_T(a: T) -> T {
    if (abs(a - T(1)) < T(0.25)) { return log_series_T(a) * T(1.44269504089); }
    return log2(a * lift_T(a)) - select(T(0), T(24), lift_T(a) > T(1));
}

fn log10_T(a: T) -> T {
    return log2_T(a) * T(0.30102999566398119521);
}

// log(1 + a). The second term is the rounding error of the sum.
fn log1p_T(a: T) -> T {
    let sum = T(1) + a;
    return log_T(sum) + (a - (sum - T(1))) / sum;
}

// The logarithm of (1 + s) / (1 - s), by its series.
fn log_series_T(a: T) -> T {
    let s = (a - T(1)) / (a + T(1));
    let z = s * s;
    var sum = T(0.222222222);
    sum = sum * z + T(0.285714286);
    sum = sum * z + T(0.4);
    sum = sum * z + T(0.666666667);
    return T(2) * s + s * z * sum;
}

// The power of two that makes a subnormal number normal, else 1.
fn lift_T(a: T) -> T { return select(T(1), T(16777216), abs(a) < T(1.17549435e-38)); }
