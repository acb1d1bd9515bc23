def f [n] (p: i32 -> bool) (xs: [n]i32): [n]i32 = map2 (+) (partition p xs).0 (replicate n 1)
