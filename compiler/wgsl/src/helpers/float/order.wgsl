// Minimum, maximum and sign of floats. The minimum of a number and a NaN is the number.

fn min_T(a: T, b: T) -> T { return select(a, b, b < a || isnan_T(a)); }

fn max_T(a: T, b: T) -> T { return select(a, b, a < b || isnan_T(a)); }

fn sgn_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    return select(select(T(0), T(1), a > T(0)), T(-1), a < T(0));
}
