def axpy (a: f64) (x: f64) (y: f64): f64 = f64.fma a x y
