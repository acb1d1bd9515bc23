def sum (n: i64) (xs: [n]f64): f64 = reduce (+) 0 xs
