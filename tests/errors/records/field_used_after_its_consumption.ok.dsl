def f (r: *{xs: []i32, n: i32}) = let ys = r.xs with [0] = 1 in ys[0]
