def x: u8 = 256
