def first (p: (i32, i32)): i32 = let (x, x) = p in x
