def one (xs: []i64) = (length xs, xs, 2 * length xs)
def eat (p: (i64, *[]i64, i64)): i64 = p.1[0]
entry main (n: i64): i64 = eat (one (iota n))
