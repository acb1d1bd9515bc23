def f (ys: []i32) (n: i64) = let id 'a (x: a) = x in ys :> [id n]i32
