entry main (xs: []i32): []i32 = xs.map(\x -> x + 1)
