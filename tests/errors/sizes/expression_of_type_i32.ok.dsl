def f (n: i64) (xs: []i32) = xs :> [n + 1]i32
