entry main (x: f64): f64 = (f64.sqrt . f64.abs) x
