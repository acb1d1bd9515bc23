def x = 127i8
