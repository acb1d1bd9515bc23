entry main (n: i64): [][]i64 = map (\i -> iota i) (iota n)
