def x: u8 = 0b10000000
