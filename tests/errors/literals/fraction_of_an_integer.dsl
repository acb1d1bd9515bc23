def x: u8 = 1.5
