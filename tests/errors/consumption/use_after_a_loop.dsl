def f (xs: *[]i32) = let ys = loop ys = xs for i < 3 do ys with [i] = i in ys[0] + xs[0]
