def f (b: bool) (xs: []i32) (n: i64): [n]i64 = if b then iota n else iota (length xs)
