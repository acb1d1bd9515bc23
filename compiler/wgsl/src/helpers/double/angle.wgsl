// Reduction of an angle far from 0, in integers: `reduce_far_angle` of the definitions in prim.

// A number whose low two bits are the number of quarter turns, the rest of the angle, and its correction. They are given,
// unless the angle is far from 0. Far from 0, a = m * 2^e with an integer m of 53 bits. Only 192 bits of 2/pi matter: those
// whose products with a are less than 4 and not too small. Their product with m is a * 2/pi modulo 4. Its distance from the
// nearest integer is computed from the bits, so that a small distance keeps its digits.
fn reduced_angle_T(is_far: bool, a: T, near: vec3<T>) -> vec3<T> {
    if (!is_far) { return near; }
    let bits = bitcast<u64>(a) & 0x7ffffffffffffffflu;
    if (bits >= 0x7ff0000000000000lu) { return vec3<T>(from_bits_T(~U(0))); }
    let first = u32(bits >> 52u) - 1013u;
    let m = (bits & 0x000ffffffffffffflu) | 0x0010000000000000lu;
    let low = m & 0xfffffffflu;
    let high = m >> 32u;
    var words = two_over_pi_T;
    var product: array<u32, 6>;
    var carry = 0lu;
    var before = 0lu;
    for (var at = 0u; at < 6u; at = at + 1u) {
        let place = first / 32u + 5u - at;
        let pair = (u64(words[place]) << 32u) | u64(words[place + 1u]);
        let word = (pair >> (32u - first % 32u)) & 0xfffffffflu;
        let one = word * low;
        let two = before * high;
        let sum = (one & 0xfffffffflu) + (two & 0xfffffffflu) + (carry & 0xfffffffflu);
        product[at] = u32(sum);
        carry = (one >> 32u) + (two >> 32u) + (carry >> 32u) + (sum >> 32u);
        before = word;
    }
    let top = (u64(product[5]) << 32u) | u64(product[4]);
    let next = (u64(product[3]) << 32u) | u64(product[2]);
    let fraction = (top << 2u) | (next >> 62u);
    let beyond = (fraction >> 63u) == 1lu;
    let quarters = T((u32(top >> 62u) + u32(beyond)) & 3u);
    let size = select(fraction, ~fraction, beyond);
    let small = select(next << 2u, ~(next << 2u), beyond);
    let lead = T(size >> 11u) * 1.1102230246251565e-16lf;
    let tail = T(size & 0x7fflu) * 5.421010862427522e-20lf + T(small) * 2.938735877055719e-39lf;
    let most = lead + tail;
    let less = (lead - most) + tail;
    let angle = product_T(most, 1.5707963267948966lf);
    let rest = angle.y + most * 6.123233995736766e-17lf + less * 1.5707963267948966lf;
    let reduced = select(vec2<T>(-angle.x, -rest), vec2<T>(angle.x, rest), beyond == (a < 0.0lf));
    return vec3<T>(6755399441055744.0lf + select(quarters, -quarters, a < 0.0lf), reduced.x, reduced.y);
}

// The vector (product, rounding error). Numbers of 26 bits have exact products.
fn product_T(a: T, b: T) -> vec2<T> {
    let a_head = bitcast<T>(bitcast<u64>(a) & 0xfffffffff8000000lu);
    let b_head = bitcast<T>(bitcast<u64>(b) & 0xfffffffff8000000lu);
    let a_tail = a - a_head;
    let b_tail = b - b_head;
    let product = a * b;
    return vec2<T>(product, a_tail * b_tail - (((product - a_head * b_head) - a_tail * b_head) - a_head * b_tail));
}
