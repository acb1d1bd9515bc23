def f (p: (i32, i32)) = let {0 = x, 1 = y} = p in x + y
