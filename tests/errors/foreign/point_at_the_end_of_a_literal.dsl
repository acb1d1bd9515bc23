entry main (x: f64): f64 = 2. * x
