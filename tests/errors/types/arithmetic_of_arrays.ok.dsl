entry main [n] (xs: [n]f64): [n]f64 = map (2 *) xs
