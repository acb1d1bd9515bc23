entry main (p: (i32, f64)): i32 = let (a, b, c) = p in a
