def f (xs: []i64) = map2 (+) (iota (let n = 1 in n + n)) (iota (let n = 1 in n + n))
