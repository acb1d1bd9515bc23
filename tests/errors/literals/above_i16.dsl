def x: i16 = 40_000
