def f (xs: *[]i32) = let g (ys: *[]i32) (x: i32) = ys with [0] = x in g xs 1
