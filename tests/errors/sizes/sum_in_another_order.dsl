def f [n] [m] (xs: [n + m]i32) (ys: [m + n]i32) = map2 (+) xs ys
