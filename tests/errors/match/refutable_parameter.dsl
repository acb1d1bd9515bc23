def f (0: i32) = 1
