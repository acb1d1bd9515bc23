entry main [x] (xs: [x]i32): i32 = xs[0]
