def f (xs: []i32): [length xs]i32 = xs :> [length xs]i32
