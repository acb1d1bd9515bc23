def f (x: i64) = 1 < x < 3
