def x: f16 = 1.5
