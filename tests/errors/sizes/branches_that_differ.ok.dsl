def f (b: bool) (n: i64): [n]i64 = if b then iota n else iota n
