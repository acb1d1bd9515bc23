def first_nine (f: []i32 -> *[]i32) (xs: []i32): *[]i32 = f xs with [0] = 9

entry main (xs: []i32): ([]i32, []i32) = (first_nine (\ys -> ys) xs, xs)
