def f (xs: *[]i32) (b: bool) = let ys = match b case true -> xs with [0] = 1 case false -> [2] in ys[0] + xs[0]
