// The shift to the right that repeats the sign. WGSL takes the distance modulo the width.

fn shr_T(a: T, b: T) -> T {
    if (b < T(0) || b >= T(W)) { return select(T(0), T(-1), a < T(0)); }
    return a >> u32(b);
}
