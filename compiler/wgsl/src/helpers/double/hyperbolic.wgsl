// Hyperbolic functions. The exponential overflows above 709, before sinh and cosh do.

fn sinh_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    let size = abs(a);
    if (size < 1.0lf) { return near_sinh_T(a); }
    let power = exp_T(min(size, 709.0lf));
    let beyond = exp_T(size - min(size, 709.0lf));
    return copysign_T((0.5lf * power - 0.5lf / power) * beyond, a);
}

fn cosh_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    let size = abs(a);
    let power = exp_T(min(size, 709.0lf));
    let beyond = exp_T(size - min(size, 709.0lf));
    return (0.5lf * power + 0.5lf / power) * beyond;
}

// Near 0, by the continued fraction of tanh.
fn tanh_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    let size = abs(a);
    if (size < 0.55lf) {
        let z = a * a;
        let over = ((z + 594.0lf) * z + 45045.0lf) * z + 675675.0lf;
        let under = (((z + 630.0lf) * z + 51975.0lf) * z + 945945.0lf) * z + 2027025.0lf;
        return copysign_T(a - a * z * (over / under), a);
    }
    return copysign_T(1.0lf - 2.0lf / (exp_T(2.0lf * size) + 1.0lf), a);
}

// The hyperbolic sine between 0 and 1.
fn near_sinh_T(a: T) -> T {
    let z = a * a;
    var sum = 8.22063524662433e-18lf;
    sum = sum * z + 2.8114572543455206e-15lf;
    sum = sum * z + 7.647163731819816e-13lf;
    sum = sum * z + 1.6059043836821613e-10lf;
    sum = sum * z + 2.505210838544172e-08lf;
    sum = sum * z + 2.7557319223985893e-06lf;
    sum = sum * z + 0.0001984126984126984lf;
    sum = sum * z + 0.008333333333333333lf;
    sum = sum * z + 0.16666666666666666lf;
    return a + a * z * sum;
}
