def f (xs: *[]i32) = let g (x: i32) = xs with [0] = x in g 1
