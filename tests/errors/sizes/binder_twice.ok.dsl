def f (xss: [][]i32) =
  let [n] [m] (yss: [n][m]i32) = xss
  in n * m
