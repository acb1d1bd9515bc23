def f (n: i64) =
  loop (m, xs: [m]i64) = (n, iota (n + 1)) for _i < 3 do (m + 1, iota (m + 1))
