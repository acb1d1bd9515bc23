def norm (p: {x: f64, y: f64}): f64 = p.x * p.x + p.y * p.y
