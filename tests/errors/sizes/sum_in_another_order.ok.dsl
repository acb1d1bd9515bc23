def f [n] [m] (xs: [n + m]i32) (ys: [n + m]i32) = map2 (+) xs ys
