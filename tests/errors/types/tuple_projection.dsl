entry main (p: (i32, f64)): f64 = p.2
