entry main [n] (a: [n]i32) (xss: [][n]i32) (c: bool) =
  map (\xs -> if c then map (+ 1) xs else xs ++ a) xss
