def f = \(n: i64, m: i64): []i64 -> replicate n m
