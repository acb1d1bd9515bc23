// Classes and signs of f32, read from the bits, because a device may assume that all numbers are finite.

fn isnan_T(a: T) -> bool { return (bitcast<u32>(a) & 0x7fffffffu) > 0x7f800000u; }

fn isinf_T(a: T) -> bool { return (bitcast<u32>(a) & 0x7fffffffu) == 0x7f800000u; }

fn copysign_T(a: T, b: T) -> T {
    return bitcast<T>((bitcast<u32>(a) & 0x7fffffffu) | (bitcast<u32>(b) & 0x80000000u));
}
