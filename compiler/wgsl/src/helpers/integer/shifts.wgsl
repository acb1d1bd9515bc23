// Shifts. WGSL takes the distance modulo the width; here a distance beyond the width shifts all bits out.

fn shl_T(a: T, b: T) -> T {
    if (b < T(0) || b >= T(W)) { return T(0); }
    return a << u32(b);
}

fn lshr_T(a: T, b: T) -> T {
    if (b < T(0) || b >= T(W)) { return T(0); }
    return T(U(a) >> u32(b));
}
