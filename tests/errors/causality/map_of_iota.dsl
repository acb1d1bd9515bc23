def f (xss: [][3]i32) = map (\xs -> iota (length xs)) xss
