def g (xs: *[]i32) (y: i32) = xs with [0] = y
def f (xs: *[]i32) = map (\y -> (g (copy xs) y)[0]) [1, 2]
