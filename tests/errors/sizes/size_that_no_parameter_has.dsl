def zeros [n] (x: i32): i32 = x + i32.i64 n
