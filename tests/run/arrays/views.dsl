-- Slices, transposition and reshaping.
-- ==
-- entry: slices
-- input { [0, 1, 2, 3, 4, 5] }
-- output { [1, 2, 3] [0, 2, 4] [5, 4, 3, 2, 1, 0] [0, 1] [4, 5] }
-- entry: planes
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [[1, 4], [2, 5], [3, 6]] [1, 2, 3, 4, 5, 6] [2, 5] [[2, 3]] }
-- input { empty([0][3]i32) }
-- error: out of bounds
-- entry: shapes
-- input { 2i64 3i64 }
-- output { [[0i64, 1i64, 2i64], [3i64, 4i64, 5i64]] }

entry slices [n] (xs: [n]i32): ([]i32, []i32, []i32, []i32, []i32) =
  (xs[1:4], xs[::2], xs[][::-1], xs[:2], xs[n - 2:])

entry planes [n] [m] (xss: [n][m]i32): ([m][n]i32, []i32, [n]i32, [][]i32) =
  (transpose xss, flatten xss, map (\xs -> xs[1]) xss, xss[0:1, 1:3])

entry shapes (n: i64) (m: i64): [n][m]i64 = unflatten (iota (n * m))
