// Reduction of an angle far from 0, in integers: `reduce_far_angle_single` of the definitions in prim.

// A number whose low two bits are the number of quarter turns, the rest of the angle, and its correction. They are given,
// unless the angle is far from 0.
fn reduced_angle_T(is_far: bool, a: T, near: vec3<T>) -> vec3<T> {
    if (!is_far) { return near; }
    let bits = bitcast<U>(a) & 0x7fffffffu;
    if (bits >= 0x7f800000u) { return vec3<T>(from_bits_T(~U(0))); }
    // The angle is m * 2^e with an integer m of 24 bits, and only 96 bits of 2/pi matter.
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
    let quarters = T(((high >> 30u) + U(beyond)) & 3u);
    let size = select(fraction, ~fraction, beyond);
    let small = select(low << 2u, ~(low << 2u), beyond);
    // The distance from the nearest quarter turn in three numbers, each of which is exact.
    let first_part = T(size >> 8u) * 5.9604645e-8f;
    let second_part = T(((size & 0xffu) << 16u) | (small >> 16u)) * 3.5527137e-15f;
    let third_part = T(small & 0xffffu) * 5.421011e-20f;
    let most = first_part + second_part;
    let less = second_part - (most - first_part);
    let angle = product_T(most, 1.5707964f);
    let rest = angle.y + (most * -4.371139e-8f + (less + third_part) * 1.5707964f);
    let reduced = select(vec2<T>(-angle.x, -rest), vec2<T>(angle.x, rest), beyond == (a < 0.0f));
    return vec3<T>(12582912.0f + select(quarters, -quarters, a < 0.0f), reduced.x, reduced.y);
}

// The upper half of a product.
fn mul_high_T(a: U, b: U) -> U {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
    return (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u);
}

// The vector (product, rounding error). Numbers of 12 bits have exact products.
fn product_T(a: T, b: T) -> vec2<T> {
    let a_head = bitcast<T>(bitcast<U>(a) & 0xfffff000u);
    let b_head = bitcast<T>(bitcast<U>(b) & 0xfffff000u);
    let a_tail = a - a_head;
    let b_tail = b - b_head;
    let product = a * b;
    return vec2<T>(product, a_tail * b_tail - (((product - a_head * b_head) - a_tail * b_head) - a_head * b_tail));
}
