def f (x: i32) = let g (true, y) = y + x in g (x > 0, 1)
