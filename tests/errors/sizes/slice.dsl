entry main [n] (xs: [n]i32): []i32 = map2 (-) xs xs[1:]
