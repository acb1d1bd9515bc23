-- How far a point is from the origin.
entry main (x: f64) (y: f64): f64 =
  f64.sqrt (x * x + y * y)
