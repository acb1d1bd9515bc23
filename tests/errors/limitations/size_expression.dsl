def evens (xs: []i32): [length xs]i32 = map (2 *) xs
