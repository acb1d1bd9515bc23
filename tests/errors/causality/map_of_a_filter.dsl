def f (xss: [][]i32) = map (filter (> 0)) xss
