def both (xs: []i64) = (length xs, xs, xs)
def eat (p: (i64, *[]i64, []i64)): i64 = p.1[0]
entry main (n: i64): i64 = eat (both (iota n))
