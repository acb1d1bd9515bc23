def f (xs: []i64) = let m = (let n = 1 in n + n) in map2 (+) (iota m) (iota m)
