// Floats that have no literal, made from their bits.

fn from_bits_T(bits: U) -> T { return bitcast<T>(bits); }
