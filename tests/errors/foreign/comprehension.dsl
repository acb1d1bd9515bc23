entry main (xs: []i32): []i32 = [x + 1 for x in xs]
