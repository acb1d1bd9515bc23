def f [n] (xs: [n]i32) (k: i64): [n]i32 = if k == 0 then xs else f xs (k - 1)
