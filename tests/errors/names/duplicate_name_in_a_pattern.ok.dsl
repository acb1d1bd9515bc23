def first (p: (i32, i32)): i32 = let (x, _) = p in x
