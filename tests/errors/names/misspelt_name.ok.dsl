entry main [n] (xs: [n]i32): i32 =
  let total = reduce (+) 0 xs
  in total
