entry main (xs: []f64) (x: f64): f64 = xs[i64.f64 x]
