def x: i8 = 0rCXXVII
