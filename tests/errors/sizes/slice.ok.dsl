entry main [n] (xs: [n]i32): []i32 = map2 (-) xs[:2] (xs[::2] :> [2]i32)
