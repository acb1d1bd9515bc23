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

// Rounds to f32 first, and to odd, so that the second rounding never takes an inexact number for a tie.
fn double_to_half_T(a: f64) -> T {
    let near = T(a);
    let bits = bitcast<u32>(near);
    let special = (bits & 0x7f800000u) == 0x7f800000u;
    if (special || f64(near) == a || (bits & 1u) == 1u) { return round_to_half_T(near); }
    return round_to_half_T(bitcast<T>(select(bits + 1u, bits - 1u, abs(f64(near)) > abs(a))));
}
