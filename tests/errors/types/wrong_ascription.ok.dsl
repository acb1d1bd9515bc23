entry main (x: i32): i64 = i64.i32 (x : i32)
