def f (xs: *[]i32) = let ys = xs with [0] = 1 let zs = xs with [0] = 2 in ys[0] + zs[0]
