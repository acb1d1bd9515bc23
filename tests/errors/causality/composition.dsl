def f (xs: []i32) = (filter (> 0) >-> length) xs
