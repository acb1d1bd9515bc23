def f (ys: []i32) (n: i64) = let id (x: i64) = x in ys :> [id n]i32
