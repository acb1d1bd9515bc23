def y = 1i32
entry main (x: i32): i32 = x + y
