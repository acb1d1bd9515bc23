def f (p: *([]i32, []i32)) = let xs = p.0 with [0] = 1 in (xs, p.0)
