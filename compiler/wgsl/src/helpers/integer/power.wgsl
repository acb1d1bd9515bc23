// Integer powers by repeated squaring.

fn pow_T(a: T, b: T) -> T {
    var power = T(1);
    var square = a;
    var exponent = b;
    while (exponent > T(0)) {
        if ((exponent & T(1)) == T(1)) { power = power * square; }
        square = square * square;
        exponent = exponent >> 1u;
    }
    return power;
}
