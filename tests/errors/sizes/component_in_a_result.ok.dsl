def f (n: i64) (m: i64): [n]i64 = replicate n m
