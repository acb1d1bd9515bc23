entry main (x: i32): i32 = trace x
