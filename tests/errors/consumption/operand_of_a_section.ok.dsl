def (<-<) (xs: *[]i64) (i: i64): *[]i64 = xs with [i] = 0

def clear (xs: *[]i64) = xs <-< 1
