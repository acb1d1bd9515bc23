// Products and quotients with their rounding errors.

// The leading 26 bits: products of two such numbers are exact.
fn high_half_T(a: T) -> T { return bitcast<T>(bitcast<u64>(a) & 0xfffffffff8000000lu); }

// The vector (product, rounding error).
fn product_T(a: T, b: T) -> vec2<T> {
    let product = a * b;
    let a_high = high_half_T(a);
    let a_low = a - a_high;
    let b_high = high_half_T(b);
    let b_low = b - b_high;
    return vec2<T>(product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low);
}

// The quotient of two numbers, each with its rounding error.
fn quotient_T(a: vec2<T>, b: vec2<T>) -> T {
    let quotient = a.x / b.x;
    let back = product_T(quotient, b.x);
    return quotient + (((a.x - back.x) - back.y) + (a.y - quotient * b.y)) / b.x;
}
