// Powers of a positive number. The logarithm, and its product with the exponent, are sums of two numbers. The logarithm of
// (1 + s) / (1 - s) is 2 * s + s * z * (2/3 + tail); only the tail needs no second number.

fn power_T(a: T, b: T) -> T {
    let parts = parts_T(a);
    let f = parts.x - 1.0lf;
    let divisor = 2.0lf + f;
    let s = f / divisor;
    let back = product_T(s, divisor);
    let s_rest = (((f - back.x) - back.y) - s * (f - (divisor - 2.0lf))) / divisor;

    let z = product_T(s, s);
    let z_rest = z.y + 2.0lf * s * s_rest;
    let tail = log_tail_T(z.x);
    let factor = 0.6666666666666666lf + tail;
    let factor_rest = (0.6666666666666666lf - factor) + tail + 3.700743415417188e-17lf;
    let cube = product_T(s, z.x);
    let cube_rest = cube.y + s * z_rest + s_rest * z.x;
    let series = product_T(cube.x, factor);
    let series_rest = series.y + cube.x * factor_rest + cube_rest * factor;

    let whole = parts.y * 0.6931471803691238lf;
    let rough = whole + 2.0lf * s;
    let of_s = rough - whole;
    let lost = (whole - (rough - of_s)) + (2.0lf * s - of_s);
    let near = rough + series.x;
    let rest = ((rough - near) + series.x) + lost + 2.0lf * s_rest + series_rest + parts.y * 1.9082149292705877e-10lf;
    let log = near + rest;
    let log_rest = (near - log) + rest;

    let exponent = product_T(b, log);
    if (exponent.x > 710.0lf) { return inf_T(); }
    if (exponent.x < -746.0lf) { return 0.0lf; }
    return exp_of_sum_T(exponent.x, exponent.y + b * log_rest);
}
