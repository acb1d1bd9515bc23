def f (n: i64) = loop [k] (xs: [k]i64, ys: [k]i64) = ([0], [0]) for _i < n do let zs = xs ++ ys in (zs, zs)
