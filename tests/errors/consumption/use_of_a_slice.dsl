def f (xs: *[]i32) = let ys = xs[1:] let xs[1] = 0 in ys[0]
