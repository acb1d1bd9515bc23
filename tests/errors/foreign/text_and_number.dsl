entry main (x: i32) = "a" + x
