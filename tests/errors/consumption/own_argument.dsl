def fill [n] (xs: *[n]i64) (i: i64): *[n]i64 =
  if i == n then xs else let ys = xs with [i] = i in fill xs (i + 1)
