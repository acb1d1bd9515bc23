entry main [n] (xs: [n]i32): [n]i32 = map (+ 1) xs
