def f (xs: []i32): [length ys]i32 = xs :> [length xs]i32
