def f (xs: *[]i32) = let ys = copy xs with [0] = 1 in (xs, ys)
