def f (xss: [][]i32) = map (map (+ 1)) xss
