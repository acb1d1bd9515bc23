def f (x: i32) = let g (_, y) = y + x in g (x > 0, 1)
