def f (r: *{xs: []i32}) = r with xs = (r.xs with [0] = 1)
