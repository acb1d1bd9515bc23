entry main [n] (xs: [n]i32): [n]i32 = filter (> 0) xs
