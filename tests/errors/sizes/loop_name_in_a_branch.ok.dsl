entry main (n: i64) =
  loop (k, xs: [k]i64) = (n, iota n) while k < 10 do
    if k > 5 then (k + 1, iota (k + 1)) else (k + 2, iota (k + 2))
