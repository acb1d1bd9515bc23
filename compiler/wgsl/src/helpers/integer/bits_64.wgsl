// Counts of bits in 64 bits, by halves: the shader translator has these operators for 32 bits only.

fn popc_T(a: T) -> i32 {
    let bits = u64(a);
    return i32(countOneBits(u32(bits)) + countOneBits(u32(bits >> 32u)));
}

fn clz_T(a: T) -> i32 {
    let bits = u64(a);
    let high = u32(bits >> 32u);
    if (high != 0u) { return i32(countLeadingZeros(high)); }
    return 32i + i32(countLeadingZeros(u32(bits)));
}

fn ctz_T(a: T) -> i32 {
    let bits = u64(a);
    let low = u32(bits);
    if (low != 0u) { return i32(countTrailingZeros(low)); }
    return 32i + i32(countTrailingZeros(u32(bits >> 32u)));
}
