entry main [n] (xs: [n]i32): i32 = reduce (+) 0 xs
