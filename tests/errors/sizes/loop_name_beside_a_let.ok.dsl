entry main (n: i64) =
  loop (k, xs: [k]i64) = (n, iota n) while k < 10 do
    let m = k + 1
    in (m, iota m)
