// Classes and signs of f64, read from the bits, because a device may assume that all numbers are finite.

fn isnan_T(a: T) -> bool { return (bitcast<u64>(a) & 0x7ffffffffffffffflu) > 0x7ff0000000000000lu; }

fn isinf_T(a: T) -> bool { return (bitcast<u64>(a) & 0x7ffffffffffffffflu) == 0x7ff0000000000000lu; }

fn copysign_T(a: T, b: T) -> T {
    return bitcast<T>((bitcast<u64>(a) & 0x7ffffffffffffffflu) | (bitcast<u64>(b) & 0x8000000000000000lu));
}
