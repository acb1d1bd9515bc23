entry main [n] (xs: [n]f64): [n]f64 = 2 * xs
