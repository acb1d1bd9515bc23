def g (xs: *[]i32) (ys: []i32) = xs with [0] = ys[0]
def f (xs: *[]i32) = g xs xs[1:]
