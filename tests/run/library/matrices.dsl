import "linalg"

module linalg = mk_linalg { open f64 type t = f64 }

-- ==
-- entry: dots
-- input { [1.0, 2.0, 3.0] [4.0, 5.0, 6.0] } output { 32.0 }
-- input { empty([0]f64) empty([0]f64) } output { 0.0 }
entry dots [n] (xs: [n]f64) (ys: [n]f64): f64 = linalg.dot xs ys

-- ==
-- entry: outers
-- input { [1.0, 2.0] [3.0, 4.0, 5.0] } output { [[3.0, 4.0, 5.0], [6.0, 8.0, 10.0]] }
entry outers [n] [m] (xs: [n]f64) (ys: [m]f64): [n][m]f64 = linalg.outer xs ys

-- ==
-- entry: products
-- input { [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] [[1.0, 0.0, 2.0], [0.0, 1.0, 3.0]] }
-- output { [[1.0, 2.0, 8.0], [3.0, 4.0, 18.0], [5.0, 6.0, 28.0]] [5.0, 11.0, 17.0] }
entry products [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64): ([n][p]f64, [n]f64) =
  (linalg.matmul a b, linalg.matvecmul a (map (\row -> f64.i64 (1 + i64.f64 row[1])) b))

-- A matrix whose first pivot is zero.
-- ==
-- entry: solves
-- input { [[0.0, 2.0, 1.0], [1.0, 1.0, 1.0], [4.0, -2.0, 3.0]] [7.0, 6.0, 9.0] }
-- output { [1.0, 2.0, 3.0] }
-- input { [[5.0]] [10.0] } output { [2.0] }
entry solves [n] (a: [n][n]f64) (b: [n]f64): [n]f64 = linalg.solve a b

-- ==
-- entry: inverts
-- input { [[0.0, 2.0], [4.0, 0.0]] } output { [[0.0, 0.25], [0.5, 0.0]] -8.0 }
-- input { [[1.0, 2.0], [2.0, 5.0]] } output { [[5.0, -2.0], [-2.0, 1.0]] 1.0 }
entry inverts [n] (a: [n][n]f64): ([n][n]f64, f64) = (linalg.inv a, linalg.det a)

-- ==
-- entry: choleskys
-- input { [[4.0, 12.0, -16.0], [12.0, 37.0, -43.0], [-16.0, -43.0, 98.0]] }
-- output { [[2.0, 0.0, 0.0], [6.0, 1.0, 0.0], [-8.0, 5.0, 3.0]] }
entry choleskys [n] (a: [n][n]f64): [n][n]f64 = linalg.cholesky a

-- ==
-- entry: tridiagonals
-- input { [0.0, 1.0, 1.0] [2.0, 3.0, 4.0] [1.0, 1.0, 0.0] [4.0, 10.0, 14.0] }
-- output { [1.0, 2.0, 3.0] }
entry tridiagonals [n] (l: [n]f64) (d: [n]f64) (u: [n]f64) (b: [n]f64): [n]f64 =
  linalg.tridiagonal l d u b
