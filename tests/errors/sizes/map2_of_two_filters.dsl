entry main (xs: []i32): []i32 = map2 (+) (filter (> 0) xs) (filter (> 0) xs)
