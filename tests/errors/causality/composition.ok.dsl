def f (xs: []i32) = xs |> filter (> 0) |> length
