def both (c: bool) (xs: *[]i64) (ys: *[]i64) (zs: *[]i64) =
  let (a, b) = if c then (xs, xs) else let _ = xs with [0] = 1 in (ys, zs)
  let a[0] = 2
  in b
