// The sign of an unsigned integer.

fn sgn_T(a: T) -> T { return select(T(0), T(1), a > T(0)); }
