def f (n: i32) (xs: []i32) = xs :> [n + 1]i32
