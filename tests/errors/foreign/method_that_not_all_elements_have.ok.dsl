module m (T: numeric) = { def total (xs: []T.t) = T.sum xs }
def f (xs: []bool) = i64.sum (map i64.bool xs)
def g [n] [m] (xs: [n][m]f64) = map f64.sum xs
def h (x: i64) = f64.sqrt (f64.i64 x)
