-- The share of each number in the sum.
def shares [n] (xs: [n]f64): [n]f64 =
  let total = f64.sum xs
  in map (/ total) xs

entry main [n] (xs: [n]f64): [n]f64 = shares xs
