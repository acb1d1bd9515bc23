def f (y: i32) = \(n: i64, x: i32) (xs: [n]i32) -> xs[0] + x + y
