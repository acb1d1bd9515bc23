entry main (n: i32): f64 = f64.i32 n / 2.0
