def sum (n: i32) (xs: [n]f64): f64 = reduce (+) 0 xs
