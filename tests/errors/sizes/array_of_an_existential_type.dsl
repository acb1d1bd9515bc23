def f (xs: [](?[n].[n]i32)): i64 = length xs
