entry main (n: i64) (xs: []i64): []i64 =
  loop ys = xs for i < n do ys with [i] = 2 * i
