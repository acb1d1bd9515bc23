def f (n: i64) = (iota n)[0]
