def origin = (0f64, 0f64)
