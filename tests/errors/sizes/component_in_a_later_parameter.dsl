def f (x: i64, _y: i64) (xs: [x]bool) = xs[0]
