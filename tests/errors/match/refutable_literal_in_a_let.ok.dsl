def f (x: (i32, i32)) = let (_, y) = x in y
