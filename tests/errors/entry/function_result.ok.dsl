entry main (x: i32) = \y -> x + y
