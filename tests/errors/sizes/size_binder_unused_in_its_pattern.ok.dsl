entry main (xs: []i32): i64 = let [k] (ys: [k]i32) = filter (> 0) xs in k
