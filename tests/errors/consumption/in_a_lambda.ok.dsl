entry main (n: i64) (xs: *[]i64): []i64 =
  map (\i -> let ys = copy xs with [0] = i in ys[1]) (iota n)
