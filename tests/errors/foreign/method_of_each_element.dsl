entry main (xs: []f64): []f64 = xs.sqrt()
