entry main [n] (xs: [n]i32) (ys: [n]i32): []i32 = map2 (+) xs ys
