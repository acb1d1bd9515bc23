def f = replicate 3 ((+ 1i32) 1)
