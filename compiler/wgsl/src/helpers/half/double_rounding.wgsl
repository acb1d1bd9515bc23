// Rounding of an f64 to f16, which is held as the equal f32.

// Rounds to f32 first, and to odd, so that the second rounding never takes an inexact number for a tie.
fn double_to_half_T(a: f64) -> T {
    let near = T(a);
    let bits = bitcast<u32>(near);
    let special = (bits & 0x7f800000u) == 0x7f800000u;
    if (special || f64(near) == a || (bits & 1u) == 1u) { return round_to_half_T(near); }
    return round_to_half_T(bitcast<T>(select(bits + 1u, bits - 1u, abs(f64(near)) > abs(a))));
}
