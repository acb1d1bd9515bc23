entry main [n] [m] (a: [n]i32) (b: [m]i32) (xss: [][m]i32) (c: bool) =
  map (\xs -> if c then map (+ a[0]) xs else b) xss
