entry main [n] (xs: [n]i32): [n]i32 = let f = \x -> x + 1 in f xs
