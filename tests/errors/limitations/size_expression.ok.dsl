def evens [n] (xs: [n]i32): [n]i32 = map (2 *) xs
