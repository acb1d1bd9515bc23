def f [n] (xs: [n]i32): [n]i32 =
  let g (ys: [n]i32): [n]i32 = map2 (+) ys xs
  in g xs
