def origin = {x = 0f64, y = 0f64}
