def f: []i32 -> *[]i32 = copy >-> id
entry main (xs: []i32): *[]i32 = f xs
