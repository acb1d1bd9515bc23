def f (y: i32) = \(n: i64, x: i32) (xs: []i32) -> xs[n] + x + y
