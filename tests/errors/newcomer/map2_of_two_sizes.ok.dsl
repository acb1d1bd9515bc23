-- The cost of an order: so many pieces of each kind, at the price of each kind.
entry main [n] (pieces: [n]i64) (prices: [n]f64): f64 =
  let costs = map2 (\piece price -> f64.i64 piece * price) pieces prices
  in reduce (+) 0 costs
