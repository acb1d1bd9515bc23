def transposed [n] (xss: *[n][n]i32) =
  let columns = transpose xss
  in loop xss for i < n do xss with [i, 0] = columns[0, i]
