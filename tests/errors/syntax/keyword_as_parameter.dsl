def f (in: i32): i32 = in + 1
