entry main (i32 x): i32 = x
