def f (x: (i32, i32)) = let (2, y) = x in y
