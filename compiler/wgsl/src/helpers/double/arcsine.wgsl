// Arcsine and arccosine.

fn asin_T(a: T) -> T {
    let size = abs(a);
    if (isnan_T(a) || size > 1.0lf) { return from_bits_T(~U(0)); }
    if (size <= 0.5lf) { return a + a * a * a * asin_series_T(a * a); }
    let half = half_angle_T(size);
    let rest = 1.5707963267948966lf - 2.0lf * half.x;
    let lost = (1.5707963267948966lf - rest) - 2.0lf * half.x + 6.123233995736766e-17lf;
    return copysign_T(rest - (2.0lf * half.y - lost), a);
}

fn acos_T(a: T) -> T {
    let size = abs(a);
    if (isnan_T(a) || size > 1.0lf) { return from_bits_T(~U(0)); }
    if (size <= 0.5lf) {
        let rest = 1.5707963267948966lf - a;
        let lost = (1.5707963267948966lf - rest) - a + 6.123233995736766e-17lf;
        return rest - (a * a * a * asin_series_T(a * a) - lost);
    }
    let half = half_angle_T(size);
    if (a > 0.0lf) { return 2.0lf * (half.x + half.y); }
    let rest = 3.141592653589793lf - 2.0lf * half.x;
    let lost = (3.141592653589793lf - rest) - 2.0lf * half.x + 1.2246467991473532e-16lf;
    return rest - (2.0lf * half.y - lost);
}

// For z = x * x up to 1/4: (asin(x) / x - 1) / z.
fn asin_series_T(z: T) -> T {
    var sum = 0.02961201126495512lf;
    sum = sum * z + -0.01924167174674304lf;
    sum = sum * z + 0.019554513336123378lf;
    sum = sum * z + 0.0030448799094556773lf;
    sum = sum * z + 0.009319560794767446lf;
    sum = sum * z + 0.009621842970100282lf;
    sum = sum * z + 0.011566459612121669lf;
    sum = sum * z + 0.01396378001220357lf;
    sum = sum * z + 0.017352816540325496lf;
    sum = sum * z + 0.02237215744350722lf;
    sum = sum * z + 0.03038194447553234lf;
    sum = sum * z + 0.044642857142551895lf;
    sum = sum * z + 0.07500000000000118lf;
    return sum * z + 0.16666666666666666lf;
}

// Half of the angle whose cosine is `size`, from 1/2 to 1, as a sum of two numbers.
fn half_angle_T(size: T) -> vec2<T> {
    let z = (1.0lf - size) * 0.5lf;
    let sine = sqrt(z);
    let square = product_T(sine, sine);
    let lost = ((z - square.x) - square.y) / max(sine + sine, 1e-300lf);
    return vec2<T>(sine, lost + sine * z * asin_series_T(z));
}
