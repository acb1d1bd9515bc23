// The exponential. Devices compute it well near 0. ln 2 is split in two, so that multiples of its parts by an exponent are exact.

fn exp_T(a: T) -> T {
    if (!(abs(a) < T(150))) { return exp(a); }
    let k = round(a * T(1.44269504));
    let half = trunc(k * T(0.5));
    return exp((a - k * T(0.693359375)) + k * T(0.000212194440)) * two_to_T(half) * two_to_T(k - half);
}

fn two_to_T(k: T) -> T { return bitcast<T>(U(i32(k) + 127) << 23u); }
