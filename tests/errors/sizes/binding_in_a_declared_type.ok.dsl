type double [n] = [2 * n]i32
