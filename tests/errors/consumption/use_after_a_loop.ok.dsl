def f (xs: *[]i32) = let ys = loop ys = copy xs for i < 3 do ys with [i] = i in ys[0] + xs[0]
