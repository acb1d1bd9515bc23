def f (xs: []i64) = f64.sum (map f64.i64 xs) / f64.i64 (length xs)
def g (xs: []f32) = f32.sum xs / f32.i64 (length xs)
def h (xs: []bool) = f64.sum (map f64.bool xs) / f64.i64 (length xs)
def i (x: i64) = length [x]
