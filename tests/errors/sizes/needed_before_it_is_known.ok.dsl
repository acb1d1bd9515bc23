entry main [n] (xs: [n]i64): []i64 = map2 (+) xs (iota n)
