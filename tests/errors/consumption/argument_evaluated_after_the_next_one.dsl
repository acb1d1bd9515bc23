def step (first: i32) (xs: *[]i32) = xs with [0] = first + 1
def f (xs: *[]i32) = step xs[0] xs
