def evens (xs: []i32): [length xs]i64 = map (* 2) (iota (length xs))
entry main (xs: []i32) (ys: []i32): []i64 = map2 (+) (evens xs) (evens ys)
