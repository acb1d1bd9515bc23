entry main [n] (xs: [n]f64) (ys: [n]f64): [n]f64 =
  xs + ys
