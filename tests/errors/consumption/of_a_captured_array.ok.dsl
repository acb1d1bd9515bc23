def f (xs: *[]i32) =
  let at (i: i64) = xs[i]
  let first = at 0
  let xs[0] = 1
  in first + xs[0]
