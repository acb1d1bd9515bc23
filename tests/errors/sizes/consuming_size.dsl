def head_of (xs: *[]i64): i64 = xs[0]
def zeros (xs: *[]i64) (ys: []i32) = ys :> [head_of xs]i32
