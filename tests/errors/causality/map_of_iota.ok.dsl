def f (xss: [][3]i32) = map (\_ -> iota 3) xss
