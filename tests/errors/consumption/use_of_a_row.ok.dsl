def f (xss: *[][2]i32) = let row = copy xss[0] let xss[0] = [1, 2] in (row, xss)
