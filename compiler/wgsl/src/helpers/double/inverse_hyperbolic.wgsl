// Inverse hyperbolic functions.

fn asinh_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    let size = abs(a);
    if (size > 1e8lf) { return copysign_T(log_T(size) + 0.6931471805599453lf, a); }
    return copysign_T(log1p_T(size + size * size / (1.0lf + sqrt(1.0lf + size * size))), a);
}

// Near 1, by acosh x = 2 asinh sqrt((x - 1)/2) and the series of asinh.
fn acosh_T(a: T) -> T {
    if (isnan_T(a) || a < 1.0lf) { return from_bits_T(~U(0)); }
    if (a > 1e8lf) { return log_T(a) + 0.6931471805599453lf; }
    let t = a - 1.0lf;
    if (t < 0.0625lf) {
        let root = sqrt(2.0lf * t);
        let z = 0.5lf * t;
        let high = 0.01396484375lf - z * (0.011551800896139705lf - z * 0.009761609529194078lf);
        let middle = 0.030381944444444444lf - z * (0.022372159090909092lf - z * (0.017352764423076924lf - z * high));
        return root - root * z * (0.16666666666666666lf - z * (0.075lf - z * (0.044642857142857144lf - z * middle)));
    }
    return log1p_T(t + sqrt(2.0lf * t + t * t));
}

fn atanh_T(a: T) -> T {
    let size = abs(a);
    if (isnan_T(a) || size > 1.0lf) { return from_bits_T(~U(0)); }
    if (size == 1.0lf) { return copysign_T(inf_T(), a); }
    if (size < 0.17lf) { return a + 0.5lf * a * log_series_T(a * a); }
    return copysign_T(0.5lf * (log1p_T(size) - log1p_T(-size)), a);
}
