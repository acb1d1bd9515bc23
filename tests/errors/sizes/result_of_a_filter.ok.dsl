entry main [n] (xs: [n]i32): []i32 = filter (> 0) xs
