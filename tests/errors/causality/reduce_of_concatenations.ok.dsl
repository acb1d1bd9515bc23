def f (xss: [][2]i32) = flatten xss
