def x = 65535u16
