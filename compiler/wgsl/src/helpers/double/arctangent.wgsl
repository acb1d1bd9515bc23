// Arctangents.

fn atan_T(a: T) -> T {
    if (isnan_T(a)) { return a; }
    return copysign_T(angle_T(abs(a), 1.0lf), a);
}

fn atan2_T(y: T, x: T) -> T {
    if (isnan_T(x) || isnan_T(y)) { return x + y; }
    let behind = (bitcast<U>(x) >> 63u) == 1lu;
    if (y == 0.0lf) { return copysign_T(select(0.0lf, 3.141592653589793lf, behind), y); }
    var angle = 0.7853981633974483lf;
    if (!(isinf_T(x) && isinf_T(y))) { angle = angle_T(abs(y), abs(x)); }
    return copysign_T(select(angle, 3.141592653589793lf - (angle - 1.2246467991473532e-16lf), behind), y);
}

// The arctangents of 0, 1/8, …, 1, each as a sum of two numbers.
const atan_of_eighths_T = array<vec2<T>, 9>(
    vec2<T>(0.0lf, 0.0lf), vec2<T>(0.12435499454676144lf, -3.1253241424539383e-18lf), vec2<T>(0.24497866312686414lf, 1.0698755618734451e-17lf),
    vec2<T>(0.35877067027057225lf, -2.4623815582638635e-17lf), vec2<T>(0.4636476090008061lf, 2.2698777452961687e-17lf), vec2<T>(0.5585993153435624lf, -5.4556305485916264e-18lf),
    vec2<T>(0.6435011087932844lf, 1.5834785051444286e-17lf), vec2<T>(0.7188299996216245lf, -2.1478388444456983e-17lf), vec2<T>(0.7853981633974483lf, 3.061616997868383e-17lf),
);

// The angle of a point in the first quadrant. For t between 0 and 1, atan(t) = atan(c) + atan((t - c) / (1 + t * c)), where c is
// the nearest eighth, or 0 where t is small.
fn angle_T(y: T, x: T) -> T {
    let less = min(x, y);
    let large = max(x, y);
    let t = less / large;
    let back = product_T(t, large);
    let t_rest = ((less - back.x) - back.y) / large;
    let small = select(0.0lf, t_rest / (1.0lf + t * t), less > 1e-290lf && large < inf_T());
    let eighths = select(round(t * 8.0lf), 0.0lf, t < 0.3125lf);
    let c = eighths * 0.125lf;
    let s = (t - c) / (1.0lf + t * c);
    let z = s * s;
    var sum = 0.03094516375146667lf;
    sum = sum * z + -0.04945421597717741lf;
    sum = sum * z + 0.058473478462439464lf;
    sum = sum * z + -0.06664294343464526lf;
    sum = sum * z + 0.07692207285154261lf;
    sum = sum * z + -0.09090906490114506lf;
    sum = sum * z + 0.11111111072283873lf;
    sum = sum * z + -0.1428571428541919lf;
    sum = sum * z + 0.1999999999999913lf;
    sum = sum * z + -0.3333333333333333lf;
    var known = atan_of_eighths_T;
    let start = known[u32(eighths)];
    if (y <= x) { return start.x + (s + (s * z * sum + (start.y + small))); }
    let rest = 1.5707963267948966lf - start.x;
    let lost = (1.5707963267948966lf - rest) - start.x + (6.123233995736766e-17lf - start.y);
    return rest - (s + (s * z * sum + (small - lost)));
}
