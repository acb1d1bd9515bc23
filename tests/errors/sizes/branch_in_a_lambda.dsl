entry main [n] [m] (a: [n]i32) (b: [m]i32) (xss: [][m]i32) (c: bool) =
  map (\xs -> if c then map (+ b[0]) xs else a) xss
