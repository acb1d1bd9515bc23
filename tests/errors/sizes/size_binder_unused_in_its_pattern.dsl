entry main (xs: []i32): i64 = let [k] ys = filter (> 0) xs in k
