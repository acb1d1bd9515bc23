def f (xs: *[]i32) (n: i64) = map (\i -> (xs with [0] = i)[1]) (map i32.i64 (iota n))
