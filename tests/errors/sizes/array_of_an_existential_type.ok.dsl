def f [n] (xs: []([n]i32)): i64 = length xs
