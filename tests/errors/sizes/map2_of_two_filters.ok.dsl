entry main (xs: []i32): []i32 = let ys = filter (> 0) xs in map2 (+) ys ys
