-- Pascal's triangle.
entry main: [][]i32 =
  [[1],
   [1, 1],
   [1, 2, 1]]
