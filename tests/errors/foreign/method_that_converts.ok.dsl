entry main (x: i64): i32 = i32.i64 x
