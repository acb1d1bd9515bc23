def g (p: *([]i64, []i64)): i64 = p.0[0]
def f (n: i64) = let xs = iota n in g (xs, xs)
