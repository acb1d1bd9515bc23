def x: i8 = 127
