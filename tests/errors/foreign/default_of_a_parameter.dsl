def f (x: i32 = 3): i32 = x
