entry main (xs: []f64): []f64 = map f64.sqrt xs
