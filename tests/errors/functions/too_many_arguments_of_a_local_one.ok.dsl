def f (x: i32) = let g y z = y + x + z in g 1 2
