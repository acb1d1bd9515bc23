def positive (f: []i32 -> i32) (xs: ?[k].[k]i32): i32 = f xs
