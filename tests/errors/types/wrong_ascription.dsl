entry main (x: i32): i64 = (x : i64)
