def norm (x: f64, y: f64): f64 = x * x + y * y
