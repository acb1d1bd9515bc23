def twice (f: i32 -> i32) (x: i32): i32 = f (f x)
