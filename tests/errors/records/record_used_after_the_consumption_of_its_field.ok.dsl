def f (r: *{xs: []i32, ys: []i32}) = let {xs, ys} = r let xs = xs with [0] = 1 in {xs, ys}
