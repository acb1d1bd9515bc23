// The cube root: a guess from the exponent, and steps of Newton's method.

fn cbrt_T(a: T) -> T {
    if (a == 0.0lf || isnan_T(a) || isinf_T(a)) { return a; }
    let small = abs(a) < 2.2250738585072014e-308lf;
    let x = select(abs(a), abs(a) * 18014398509481984.0lf, small);
    var root = bitcast<T>(bitcast<u64>(x) / 3lu + 0x2aa0000000000000lu);
    for (var round = 0; round < 5; round = round + 1) {
        root = root - (root - x / (root * root)) / 3.0lf;
    }
    return copysign_T(select(root, root / 262144.0lf, small), a);
}
