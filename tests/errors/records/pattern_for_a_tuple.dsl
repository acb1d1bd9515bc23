def f (p: (i32, i32)) = let {x, y} = p in x + y
