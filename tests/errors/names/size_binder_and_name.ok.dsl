def f (xs: []i32) = let [n] (ys: [n]i32) = xs in (n, ys)
