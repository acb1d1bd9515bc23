def slope (x: f64): f64 = jvp (\y -> y * y) x 1
