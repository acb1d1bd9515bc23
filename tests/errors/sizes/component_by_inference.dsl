def f (x: i64, _y: i64) (xs: []i64) = zip xs (iota x)
