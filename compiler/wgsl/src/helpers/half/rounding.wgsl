// Rounding to f16, which is held as the equal f32. The bits of an f32 lie 13 places to the left of those of the equal f16,
// except for the exponent, which has another bias.

// Adds half a unit, less one bit unless the last digit is odd. Next to 0.5 the last digit of an f32 is that of a subnormal f16,
// so that the sum is rounded there.
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

// The f32 in between is rounded to odd, which the second rounding never takes for a tie.
fn double_to_half_T(a: f64) -> T {
    let near = T(a);
    let bits = bitcast<u32>(near);
    let special = (bits & 0x7f800000u) == 0x7f800000u;
    if (special || f64(near) == a || (bits & 1u) == 1u) { return round_to_half_T(near); }
    return round_to_half_T(bitcast<T>(select(bits + 1u, bits - 1u, abs(f64(near)) > abs(a))));
}
