// Rounding to f16, which is held as the equal f32. The bits of an f32 lie 13 places to the left of those of the equal f16,
// except for the exponent, which has another bias.

// Adds half a unit, less one bit unless the last digit is odd. Where the f16 is subnormal, its last digit is 2^-24, as is that
// of an f32 between 0.5 and 1. So adding 0.5 rounds to the right digit.
fn round_to_half_T(a: T) -> T {
    let bits = bitcast<u32>(a);
    let size = bits & 0x7fffffffu;
    let sign = bits & 0x80000000u;
    if (size > 0x7f800000u) { return a; }
    if (size < 0x38800000u) {
        let small = (bitcast<f32>(size) + 0.5f) - 0.5f;
        return bitcast<f32>(bitcast<u32>(small) | sign);
    }
    let rounded = (size + 0xfffu + ((size >> 13u) & 1u)) & 0xffffe000u;
    return bitcast<f32>(select(rounded, 0x7f800000u, rounded >= 0x47800000u) | sign);
}
