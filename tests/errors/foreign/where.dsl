entry main (x: i32): i32 = y where y = x + 1
