def f (x: i32): (i32, i32) = {0 = x, 1 = x}
