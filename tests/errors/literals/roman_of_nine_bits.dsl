def x: i8 = 0rCXXVIII
