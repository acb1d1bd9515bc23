def x = -128i8
