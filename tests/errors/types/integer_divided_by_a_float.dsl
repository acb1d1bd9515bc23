entry main (n: i32): f64 = n / 2.0
