def scale (factor: f64) (x: f64): f64 = factor * x

entry main (x: f64) (n: i64): f64 = scale n x
