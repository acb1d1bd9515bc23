def f (xs: []i32) = let [n] (n: [n]i32) = xs in n
