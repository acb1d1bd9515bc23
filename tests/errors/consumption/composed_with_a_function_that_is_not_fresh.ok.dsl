def f: []i32 -> *[]i32 = id >-> copy
entry main (xs: []i32): *[]i32 = f xs
