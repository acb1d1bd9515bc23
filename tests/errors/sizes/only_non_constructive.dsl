entry main [x] (xs: [x + 1]i32): i32 = xs[0]
