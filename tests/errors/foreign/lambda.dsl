entry main (xs: []i32): []i32 = map (lambda x: x + 1) xs
