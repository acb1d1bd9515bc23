def x: u16 = 65536
