def f (xss: *[3][2]i32) = xss with [0] = xss[1]
