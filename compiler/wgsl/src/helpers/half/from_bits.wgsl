// The f32 that is equal to the f16 with these bits.

fn half_from_bits_T(bits: T) -> f32 {
    let sign = (bits & 0x8000u) << 16u;
    let size = bits & 0x7fffu;
    if (size >= 0x7c00u) { return bitcast<f32>(sign | 0x7f800000u | (size << 13u)); }
    if (size < 0x400u) { return bitcast<f32>(bitcast<u32>(f32(size) * 5.9604644775390625e-8f) | sign); }
    return bitcast<f32>(sign | ((size << 13u) + 0x38000000u));
}
