// The value of another thread of the subgroup, in two words: not every device shuffles 64 bits at once.

fn shuffle_T(value: T, lane: u32) -> T {
    let bits = bitcast<u64>(value);
    let low = subgroupShuffle(u32(bits), lane);
    let high = subgroupShuffle(u32(bits >> 32u), lane);
    return bitcast<T>(u64(low) | (u64(high) << 32u));
}
