def f (g: i64 -> i64) (n: i64) (xs: [g n]i64) = map2 (+) xs (iota (g 3))
