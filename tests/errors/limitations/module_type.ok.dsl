module shape = { def area (x: f64): f64 = x * x }
