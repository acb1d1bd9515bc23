def first (xs: []i32) (_ys: []i32): *[]i32 = copy xs
def f (xs: []i32) (ys: []i32) = first xs ys with [0] = 1
