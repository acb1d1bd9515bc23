// Arctangents. For t between 0 and 1, and above tan(pi/8), atan(t) = pi/4 + atan((t - 1) / (t + 1)).

fn atan_T(a: T) -> T {
    let steep = abs(a) > T(1);
    let t = select(abs(a), T(1) / abs(a), steep);
    let far = t > T(0.414213562);
    let s = select(t, (t - T(1)) / (t + T(1)), far);
    let z = s * s;
    var sum = T(0.0588235294);
    sum = sum * z - T(0.0666666667);
    sum = sum * z + T(0.0769230769);
    sum = sum * z - T(0.0909090909);
    sum = sum * z + T(0.111111111);
    sum = sum * z - T(0.142857143);
    sum = sum * z + T(0.2);
    sum = sum * z - T(0.333333333);
    let angle = select(T(0), T(0.785398163), far) + (s + s * z * sum);
    return copysign_T(select(angle, T(1.57079632679) - angle, steep), a);
}

fn atan2_T(y: T, x: T) -> T {
    if (isnan_T(x) || isnan_T(y)) { return x + y; }
    let behind = (bitcast<U>(x) >> 31u) == 1u;
    if (y == T(0)) { return copysign_T(select(T(0), T(3.14159265359), behind), y); }
    var angle = T(0.785398163);
    if (!(isinf_T(x) && isinf_T(y))) { angle = atan_T(abs(y) / abs(x)); }
    return copysign_T(select(angle, T(3.14159265359) - angle, behind), y);
}
