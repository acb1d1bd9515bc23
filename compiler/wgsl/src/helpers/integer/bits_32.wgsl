// Counts of bits in 32 bits.

fn popc_T(a: T) -> i32 { return i32(countOneBits(u32(a))); }

fn clz_T(a: T) -> i32 { return i32(countLeadingZeros(u32(a))); }

fn ctz_T(a: T) -> i32 { return i32(countTrailingZeros(u32(a))); }
