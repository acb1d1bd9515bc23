def f [n] (xs: [n]i32) (ys: [n]i32) = let add [k] (a: [k]i32) (b: [k]i32) = map2 (+) a b in add xs ys
