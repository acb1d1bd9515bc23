entry main [n] (xs: [n]i32): []i32 = map2 (-) xs[0:n - 1] (xs[1:] :> [n - 1]i32)
