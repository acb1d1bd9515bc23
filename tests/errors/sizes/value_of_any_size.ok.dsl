def both (n: i64) : ([n]i64, []i64) = (replicate n 0, filter (> 0) (iota 3))
