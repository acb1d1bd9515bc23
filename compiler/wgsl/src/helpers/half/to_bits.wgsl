// The bits of an f16 that is held as an f32.

fn half_bits_T(a: T) -> u32 {
    let bits = bitcast<u32>(a);
    let size = bits & 0x7fffffffu;
    let sign = (bits >> 16u) & 0x8000u;
    if (size >= 0x7f800000u) { return sign | 0x7c00u | ((size >> 13u) & 0x3ffu); }
    if (size < 0x38800000u) { return sign | u32(abs(a) * 16777216.0f); }
    return sign | ((size - 0x38000000u) >> 13u);
}
