entry main (x y: i32): i32 = x + y
