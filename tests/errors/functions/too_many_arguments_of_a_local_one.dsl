def f (x: i32) = let g y = y + x in g 1 2
