def f (n: i64) =
  loop (xs, ys) = (replicate n 0, replicate n 0) for i < 10 do
    (xs with [i] = ys[i], xs)
