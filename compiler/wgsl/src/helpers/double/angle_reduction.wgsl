// Reduction of an angle to the vector (q, r, rest), where a = q * pi/2 + r + rest.

// pi/2 is split in three; multiples of the first two parts are exact.
fn turn_T(a: T) -> vec3<T> {
    if (isnan_T(a) || isinf_T(a)) { return vec3<T>(0.0lf, from_bits_T(~U(0)), 0.0lf); }
    if (abs(a) > 100000.0lf) { return turn_far_T(a); }
    let q = round(a * 0.6366197723675814lf);
    let first = a - q * 1.5707963267341256lf;
    let part = q * 6.077100506303966e-11lf;
    let second = first - part;
    let lost = ((first - second) - part) - q * 2.0222662487959506e-21lf;
    let r = second + lost;
    return vec3<T>(q, r, (second - r) + lost);
}

// Far from 0, a = m * 2^e with an integer m of 53 bits. Only 192 bits of 2/pi matter: those whose products with a are less
// than 4 and not too small. Their product with m is a * 2/pi modulo 4. Its distance from the nearest integer is computed from
// the bits, so that a small distance keeps its digits.
fn turn_far_T(a: T) -> vec3<T> {
    let bits = bitcast<u64>(a) & 0x7ffffffffffffffflu;
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
    let q = T(u32(top >> 62u) + u32(beyond));
    let size = select(fraction, ~fraction, beyond);
    let small = select(next << 2u, ~(next << 2u), beyond);
    let lead = T(size >> 11u) * 1.1102230246251565e-16lf;
    let tail = T(size & 0x7fflu) * 5.421010862427522e-20lf + T(small) * 2.938735877055719e-39lf;
    let turns = lead + tail;
    let lost = (lead - turns) + tail;
    let angle = product_T(turns, 1.5707963267948966lf);
    let r = angle.x;
    let rest = angle.y + turns * 6.123233995736766e-17lf + lost * 1.5707963267948966lf;
    let near = select(vec2<T>(r, rest), vec2<T>(-r, -rest), beyond != (a < 0.0lf));
    return vec3<T>(select(q, -q, a < 0.0lf), near.x, near.y);
}
