def x: u16 = 65535
