def f (g: i64 -> []i64) = let xs = g 3 in xs with [0] = 1
