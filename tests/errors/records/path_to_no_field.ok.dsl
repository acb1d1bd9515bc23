def f (xs: *[]i32) = {a = xs, b = 2i32} with a[0] = 1
