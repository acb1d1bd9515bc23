def f (xs: []i32) = filter (> 0) xs |> length
