def f (n: i64) =
  loop (m, xs: [m]i64) = (n, iota n) for _i < 3 do (m + 2, iota (m + 2))
