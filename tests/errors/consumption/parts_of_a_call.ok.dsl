def both (n: i64) = let xs = iota n in (xs, copy xs)
def eat (p: *([]i64, []i64)): i64 = p.0[0]
entry main (n: i64): i64 = eat (both n)
