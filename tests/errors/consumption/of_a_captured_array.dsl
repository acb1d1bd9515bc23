def f (xs: *[]i32) =
  let at (i: i64) = xs[i]
  let xs[0] = 1
  in at 0 + xs[0]
