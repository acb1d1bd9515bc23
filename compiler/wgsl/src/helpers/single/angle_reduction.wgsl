// Reduction of an angle to the vector (q, r), where a = q * pi/2 + r.

// pi/2 is split in three; multiples of the first two parts are exact.
fn turn_T(a: T) -> vec2<T> {
    if (isnan_T(a) || isinf_T(a)) { return vec2<T>(T(0), from_bits_T(~U(0))); }
    if (abs(a) > T(100)) { return turn_far_T(a); }
    let q = round(a * T(0.636619772));
    return vec2<T>(q, ((a - q * T(1.5707855224609375)) - q * T(1.0804273188114166e-5)) - q * T(6.07710062827671e-11));
}

// Far from 0, as in f64. a has 24 bits, and only 96 bits of 2/pi matter.
fn turn_far_T(a: T) -> vec2<T> {
    let bits = bitcast<U>(a) & 0x7fffffffu;
    let first = (bits >> 23u) - 88u;
    let m = (bits & 0x007fffffu) | 0x00800000u;
    var words = two_over_pi_T;
    var window: array<U, 3>;
    for (var at = 0u; at < 3u; at = at + 1u) {
        let place = first / 32u + at;
        window[at] = (words[place] << (first % 32u)) | ((words[place + 1u] >> 1u) >> (31u - first % 32u));
    }
    let middle = window[1] * m;
    let low = middle + mul_high_T(window[2], m);
    let high = window[0] * m + mul_high_T(window[1], m) + U(low < middle);
    let fraction = (high << 2u) | (low >> 30u);
    let beyond = (fraction >> 31u) == 1u;
    let q = T((high >> 30u) + U(beyond));
    let size = select(fraction, ~fraction, beyond);
    let small = select(low << 2u, ~(low << 2u), beyond);
    let turns = T(size) * T(2.3283064365386963e-10) + T(small) * T(5.421010862427522e-20);
    let r = turns * T(1.57079632679);
    return vec2<T>(select(q, -q, a < T(0)), select(r, -r, beyond != (a < T(0))));
}

// The upper half of a product.
fn mul_high_T(a: U, b: U) -> U {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
    return (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u);
}
