def (+^) [n] (xs: [n]i64) (m: i64): [n]i64 = map (+ m) xs
def f (xs: []i64) = map (filter (> 0) xs +^) xs
