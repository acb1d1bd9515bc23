entry main [n] (xs: [n]bool): i32 = reduce (+) 0 xs
