def f (r: *{xs: []i32, ys: []i32}) = let xs = r.xs with [0] = 1 in r with xs = xs
