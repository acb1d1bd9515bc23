def pick (b: bool): i32 -> i32 = \x -> if b then x + 1 else x * 2
