def zeros (n: i64) (x: i32): i32 = x + i32.i64 n
