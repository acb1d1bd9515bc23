def x: i8 = -129
