def x = 65536u16
