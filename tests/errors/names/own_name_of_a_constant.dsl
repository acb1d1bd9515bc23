def xs: [2]i32 = [0, xs[0]]
