-- The length of a vector.
entry main [n] (xs: [n]f64): f64 =
  let squares = map (\x -> x * x) xs
  in f64.sqrt (reduce (+) 0 sqaures)
