entry main [n] (xs: [n]f64): [n]f64 =
  map f64.sqrt xs
