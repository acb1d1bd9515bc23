entry main [n] (xs: [n]i32) (ys: [n]i32): [n]i32 = map (\(x, y) -> x + y) (zip xs ys)
