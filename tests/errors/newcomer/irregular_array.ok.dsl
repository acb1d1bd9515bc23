-- Pascal's triangle.
entry main: [][]i32 =
  [[1, 0, 0],
   [1, 1, 0],
   [1, 2, 1]]
