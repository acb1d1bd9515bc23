entry main [n] (xs: [n]i32): i32 =
  let squares = map (\x -> x * x) xs
  in reduce (+) 0 squares
