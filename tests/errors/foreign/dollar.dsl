entry main (x: i32): i32 = i32.abs $ x - 1
