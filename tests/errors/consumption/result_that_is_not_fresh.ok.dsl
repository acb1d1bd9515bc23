def same (xs: []i32): *[]i32 = copy xs
