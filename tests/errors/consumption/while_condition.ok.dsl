def f (xs: *[]i32) = loop ys = xs while ys[0] < 3 do ys with [0] = ys[0] + 1
