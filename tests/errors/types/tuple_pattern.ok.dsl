entry main (p: (i32, f64)): i32 = let (a, b) = p in a
