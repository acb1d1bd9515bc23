// The sign of a signed integer.

fn sgn_T(a: T) -> T { return select(select(T(0), T(1), a > T(0)), T(-1), a < T(0)); }
