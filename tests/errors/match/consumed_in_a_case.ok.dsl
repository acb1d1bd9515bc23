def f (xs: *[]i32) (b: bool) = let ys = match b case true -> copy xs with [0] = 1 case false -> [2] in ys[0] + xs[0]
