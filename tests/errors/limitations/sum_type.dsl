def area (shape: #circle f64 | #square f64): f64 = 1
