def x: u8 = 0x100u8
