entry main [n] (xs: [n]i32) (ys: [n]i32): [n]i32 = map2 (\(x, y) -> x * y) xs ys
