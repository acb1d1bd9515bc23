entry main (xs: []i32): i32 = i32.sum xs
