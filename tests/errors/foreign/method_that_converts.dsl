entry main (x: i64): i32 = x.to_i32
