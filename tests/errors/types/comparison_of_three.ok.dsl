def f (x: i64) = 1 < x && x < 3
