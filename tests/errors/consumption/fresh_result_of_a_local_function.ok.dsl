def f (n: i64) =
  let g (xs: *[]i32): *[]i32 = xs
  in g (replicate n 0) with [0] = 1
