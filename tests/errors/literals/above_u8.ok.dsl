def x: u8 = 255
