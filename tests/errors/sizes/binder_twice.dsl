def f (xss: [][]i32) =
  let [n] [n] (yss: [n][n]i32) = xss
  in n
