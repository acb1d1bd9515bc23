def (+^) [n] (xs: [n]i64) (m: i64): [n]i64 = map (+ m) xs
def f (xs: []i64) = let ys = filter (> 0) xs in map (ys +^) xs
