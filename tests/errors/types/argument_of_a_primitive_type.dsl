def f (x: i32 i64): i32 = x
