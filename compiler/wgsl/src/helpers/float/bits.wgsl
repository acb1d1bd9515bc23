// Floats that have no literal, from their bits.

fn from_bits_T(bits: U) -> T { return bitcast<T>(bits); }
