def f (x: i64) (_y: i64) (xs: [x]i64) = zip xs (iota x)
