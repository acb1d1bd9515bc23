def axpy (a: f64) (x: f64) (y: f64): f64 = a * x + y
