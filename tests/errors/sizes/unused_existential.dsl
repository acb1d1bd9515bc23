def count (x: ?[k].i32): i32 = x
