entry main (x: i32): (i32, f64, bool) = (x, f64.i32 x, true)
