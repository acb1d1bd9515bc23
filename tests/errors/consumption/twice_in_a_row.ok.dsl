def f (xs: *[]i32) = let ys = xs with [0] = 1 let zs = ys with [0] = 2 in zs[0]
