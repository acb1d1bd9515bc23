type vector [n] = [3]f64
