def use (r: *{xs: []i32, ys: []i32}) = r.xs[0] + r.ys[0]
def f (n: i64) = let xs = replicate n 1i32 in use {xs, ys = xs}
