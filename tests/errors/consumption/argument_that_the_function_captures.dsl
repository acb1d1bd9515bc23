def sum (xs: *[]i64) =
  let f = \(ys: *[]i64) -> i64.sum (ys with [0] = 1) + xs[0]
  in f xs
