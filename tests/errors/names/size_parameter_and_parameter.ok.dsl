def f [n] (m: i64) (xs: [n]i32) = (m, xs)
