def scale (factor: f64) (x: f64): f64 = factor * x

entry main (x: f64) (n: i64): f64 = scale (f64.i64 n) x
