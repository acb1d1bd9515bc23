def f (x: i32): (i32, i32) = {1 = x, 2 = x}
