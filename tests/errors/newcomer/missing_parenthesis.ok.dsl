-- The mean and the variance of some measurements.
def mean [n] (xs: [n]f64): f64 = f64.sum xs / f64.i64 n

entry main [n] (xs: [n]f64): (f64, f64) =
  let centre = mean xs
  let squares = map (\x -> (x - centre) ** 2) xs
  in (centre, mean squares)
