def f [n] (n: i64) (xs: [n]i32) = (n, xs)
