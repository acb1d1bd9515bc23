def f (xs: []i32) = length <| filter (> 0) xs
