// Sine, cosine and tangent: a = q * pi/2 + r, where the absolute value of r is at most pi/4.

fn sin_T(a: T) -> T {
    if (a == T(0)) { return a; }
    let turn = turn_T(a);
    let quarter = u32(i32(turn.x)) & 3u;
    let size = select(near_sin_T(turn.y), near_cos_T(turn.y), (quarter & 1u) == 1u);
    return select(size, -size, quarter >= 2u);
}

fn cos_T(a: T) -> T {
    let turn = turn_T(a);
    let quarter = u32(i32(turn.x)) & 3u;
    let size = select(near_cos_T(turn.y), near_sin_T(turn.y), (quarter & 1u) == 1u);
    return select(size, -size, quarter == 1u || quarter == 2u);
}

fn tan_T(a: T) -> T {
    if (a == T(0)) { return a; }
    let turn = turn_T(a);
    let sine = near_sin_T(turn.y);
    let cosine = near_cos_T(turn.y);
    if ((u32(i32(turn.x)) & 1u) == 1u) { return -cosine / sine; }
    return sine / cosine;
}

fn near_sin_T(r: T) -> T {
    let z = r * r;
    var sum = T(2.75573192e-6);
    sum = sum * z - T(0.000198412698);
    sum = sum * z + T(0.00833333333);
    sum = sum * z - T(0.166666667);
    return r + r * z * sum;
}

fn near_cos_T(r: T) -> T {
    let z = r * r;
    var sum = T(-2.75573192e-7);
    sum = sum * z + T(2.48015873e-5);
    sum = sum * z - T(0.00138888889);
    sum = sum * z + T(0.0416666667);
    return (T(1) - T(0.5) * z) + z * z * sum;
}
