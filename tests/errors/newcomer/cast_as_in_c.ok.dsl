-- The mean of some numbers.
entry main [n] (xs: [n]f32): f32 =
  f32.sum xs / f32.i64 n
