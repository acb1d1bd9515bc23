def f (xs: [3]i32): [3]i32 = xs
