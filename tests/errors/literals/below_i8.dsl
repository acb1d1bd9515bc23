def x = -129i8
