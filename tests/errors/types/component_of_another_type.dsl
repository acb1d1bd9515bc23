entry main (x: i32): (i32, f64, bool) = (x, x, true)
