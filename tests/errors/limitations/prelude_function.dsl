def shout (x: i32): i32 = trace (x + 1)
