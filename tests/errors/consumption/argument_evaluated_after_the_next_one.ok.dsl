def step (xs: *[]i32) (first: i32) = xs with [0] = first + 1
def f (xs: *[]i32) = step xs xs[0]
