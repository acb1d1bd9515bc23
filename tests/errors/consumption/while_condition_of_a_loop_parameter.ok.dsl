def count (xs: *[]i64) =
  loop ys = xs while ys[0] == 1 && ys[1] < 9 do
    ys with [1] = ys[1] + 1
