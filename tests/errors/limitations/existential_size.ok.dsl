def positive (f: []i32 -> i32) (xs: []i32): i32 = f xs
