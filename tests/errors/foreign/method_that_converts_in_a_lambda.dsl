entry main (xs: []i32): []i64 = map (\x -> x.to_i64) xs
