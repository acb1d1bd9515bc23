module m (T: numeric) = { def total (xs: []T.t) = xs.sum() }
def f (xs: []bool) = xs.sum()
def g (xs: [][]f64) = xs.sum()
def h (x: i64) = x.sqrt()
