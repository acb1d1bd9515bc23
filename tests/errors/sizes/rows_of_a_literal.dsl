def f (xs: []i32) = [filter (> 0) xs, filter (> 1) xs]
