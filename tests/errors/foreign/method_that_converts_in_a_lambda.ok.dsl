entry main (xs: []i32): []i64 = map (\x -> i64.i32 x) xs
