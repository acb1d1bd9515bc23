entry main (n: i64) (xs: *[]i64): i64 =
  loop sum = 0 for i < n do
    let ys = copy xs with [0] = sum
    in ys[0] + ys[1]
