entry main (xs: []i32): []i32 = [1] ++ xs
