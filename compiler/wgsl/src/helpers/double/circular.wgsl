// Sine, cosine and tangent: a = q * pi/2 + r + rest. The absolute value of r is at most pi/4, and rest is the rounding error of r.
// Near 0, sine and cosine return their rounding error too.

fn sin_T(a: T) -> T {
    if (a == 0.0lf) { return a; }
    let turn = turn_T(a);
    let quarter = u32(i32(turn.x)) & 3u;
    let odd = (quarter & 1u) == 1u;
    let size = select(near_sin_T(turn.y, turn.z), near_cos_T(turn.y, turn.z), odd).x;
    return select(size, -size, quarter >= 2u);
}

fn cos_T(a: T) -> T {
    let turn = turn_T(a);
    let quarter = u32(i32(turn.x)) & 3u;
    let odd = (quarter & 1u) == 1u;
    let size = select(near_cos_T(turn.y, turn.z), near_sin_T(turn.y, turn.z), odd).x;
    return select(size, -size, quarter == 1u || quarter == 2u);
}

fn tan_T(a: T) -> T {
    if (a == 0.0lf) { return a; }
    let turn = turn_T(a);
    let sine = near_sin_T(turn.y, turn.z);
    let cosine = near_cos_T(turn.y, turn.z);
    if ((u32(i32(turn.x)) & 1u) == 1u) { return quotient_T(-cosine, sine); }
    return quotient_T(sine, cosine);
}

fn near_sin_T(r: T, rest: T) -> vec2<T> {
    let z = r * r;
    var sum = 2.8114572543455206e-15lf;
    sum = sum * z + -7.647163731819816e-13lf;
    sum = sum * z + 1.6059043836821613e-10lf;
    sum = sum * z + -2.505210838544172e-08lf;
    sum = sum * z + 2.7557319223985893e-06lf;
    sum = sum * z + -0.0001984126984126984lf;
    sum = sum * z + 0.008333333333333333lf;
    sum = sum * z + -0.16666666666666666lf;
    let beyond = r * z * sum + rest * (1.0lf - 0.5lf * z);
    let sine = r + beyond;
    return vec2<T>(sine, (r - sine) + beyond);
}

fn near_cos_T(r: T, rest: T) -> vec2<T> {
    let z = r * r;
    let half = 0.5lf * z;
    let near = 1.0lf - half;
    var sum = -1.5619206968586225e-16lf;
    sum = sum * z + 4.779477332387385e-14lf;
    sum = sum * z + -1.1470745597729725e-11lf;
    sum = sum * z + 2.08767569878681e-09lf;
    sum = sum * z + -2.755731922398589e-07lf;
    sum = sum * z + 2.48015873015873e-05lf;
    sum = sum * z + -0.001388888888888889lf;
    sum = sum * z + 0.041666666666666664lf;
    let beyond = ((1.0lf - near) - half) + (z * z * sum - r * rest);
    let cosine = near + beyond;
    return vec2<T>(cosine, (near - cosine) + beyond);
}
