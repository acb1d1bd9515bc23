def f (xs: []i32) = (\(ys: []i32): *[]i32 -> copy ys) xs with [0] = 1
