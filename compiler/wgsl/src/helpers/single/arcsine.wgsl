// Arcsine and arccosine.

fn asin_T(a: T) -> T {
    let size = abs(a);
    if (size > T(1)) { return from_bits_T(~U(0)); }
    if (size <= T(0.5)) { return near_asin_T(a); }
    let angle = T(1.57079632679) - T(2) * near_asin_T(sqrt((T(1) - size) * T(0.5)));
    return select(angle, -angle, a < T(0));
}

fn acos_T(a: T) -> T {
    let size = abs(a);
    if (size > T(1)) { return from_bits_T(~U(0)); }
    if (size <= T(0.5)) { return T(1.57079632679) - near_asin_T(a); }
    let angle = T(2) * near_asin_T(sqrt((T(1) - size) * T(0.5)));
    return select(angle, T(3.14159265359) - angle, a < T(0));
}

// The arcsine between 0 and 1/2, by its series. Above, asin x = pi/2 - 2 asin sqrt((1 - x)/2).
fn near_asin_T(a: T) -> T {
    let z = a * a;
    var sum = T(0.00731252587);
    sum = sum * z + T(0.00839033581);
    sum = sum * z + T(0.00976160953);
    sum = sum * z + T(0.0115518009);
    sum = sum * z + T(0.01396484375);
    sum = sum * z + T(0.0173527644);
    sum = sum * z + T(0.0223721591);
    sum = sum * z + T(0.0303819444);
    sum = sum * z + T(0.0446428571);
    sum = sum * z + T(0.075);
    sum = sum * z + T(0.166666667);
    return a + a * z * sum;
}
