def x: u16 = 40_000
