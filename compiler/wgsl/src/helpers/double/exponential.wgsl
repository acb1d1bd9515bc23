// The exponential. ln 2 is split in two, so that multiples of its parts by an exponent are exact.

fn exp_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    if (a > 709.782712893384lf) { return inf_T(); }
    if (a < -745.2lf) { return 0.0lf; }
    return exp_of_sum_T(a, 0.0lf);
}

// The exponential of a + b, where b is small.
fn exp_of_sum_T(a: T, b: T) -> T {
    let k = round(a * 1.4426950408889634lf);
    let r = ((a - k * 0.6931471803691238lf) - k * 1.9082149292705877e-10lf) + b;
    var sum = 1.6059043836821613e-10lf;
    sum = sum * r + 2.08767569878681e-09lf;
    sum = sum * r + 2.505210838544172e-08lf;
    sum = sum * r + 2.755731922398589e-07lf;
    sum = sum * r + 2.7557319223985893e-06lf;
    sum = sum * r + 2.48015873015873e-05lf;
    sum = sum * r + 0.0001984126984126984lf;
    sum = sum * r + 0.001388888888888889lf;
    sum = sum * r + 0.008333333333333333lf;
    sum = sum * r + 0.041666666666666664lf;
    sum = sum * r + 0.16666666666666666lf;
    sum = sum * r + 0.5lf;
    return scale_T(1.0lf + (r + r * r * sum), i32(k));
}

fn scale_T(a: T, k: i32) -> T {
    let half = k / 2;
    return a * power_of_two_T(half) * power_of_two_T(k - half);
}

fn power_of_two_T(k: i32) -> T { return bitcast<T>(u64(u32(k + 1023)) << 52u); }
