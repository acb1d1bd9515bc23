def g (xs: *[]i32) (y: i32) = xs with [0] = y
def f (xs: *[]i32) = map (g xs) [1, 2]
