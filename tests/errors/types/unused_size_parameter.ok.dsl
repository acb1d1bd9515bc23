type vector [n] = [n]f64
