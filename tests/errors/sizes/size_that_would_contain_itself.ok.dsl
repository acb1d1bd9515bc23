def last [n] (xs: [n]i32) (ys: [n + 1]i32) = xs[0] + ys[n]
def f (xs: []i32) = last xs (xs ++ [1])
