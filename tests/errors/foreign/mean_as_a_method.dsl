def f (xs: []i64) = xs.mean()
def g (xs: []f32) = xs.mean()
def h (xs: []bool) = xs.mean()
def i (x: i64) = x.len()
