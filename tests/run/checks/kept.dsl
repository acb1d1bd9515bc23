-- One step away from idioms whose checks are proved: these may fail, and do.
-- ==
-- entry: rotated
-- input { 2i64 [1, 2, 3] } output { [3, 1, 2] }
-- input { 4i64 [1, 2, 3] } error: Index \[:4\] out of bounds for array of shape \[3\]

-- ==
-- entry: ring
-- input { [1, 2, 3] } error: Index \[3\] out of bounds for array of shape \[3\]

-- ==
-- entry: ring_towards_zero
-- input { [1, 2, 3] } error: Index \[-1\] out of bounds for array of shape \[3\]

-- ==
-- entry: clamped
-- input { 0i64 [1, 2, 3] } output { 1 }
-- input { 9i64 [1, 2, 3] } error: Index \[3\] out of bounds for array of shape \[3\]
-- input { -9i64 [1, 2, 3] } error: Index \[-1\] out of bounds for array of shape \[3\]
-- input { 0i64 empty([0]i32) } error: Index \[0\] out of bounds for array of shape \[0\]

-- ==
-- entry: pairs
-- input { [1, 2, 3, 4] } output { [2, 4] }
-- input { [1, 2, 3] } error: Index \[3\] out of bounds for array of shape \[3\]

-- ==
-- entry: in_blocks
-- input { [1, 2, 3, 4, 5] 2i64 } error: Index \[4:6\] out of bounds for array of shape \[5\]

-- ==
-- entry: row_and_column
-- input { 4i64 [[1, 2], [3, 4]] } output { [1, 2, 3, 4] }
-- input { 5i64 [[1, 2], [3, 4]] } error: Index \[2, 0\] out of bounds for array of shape \[2\]\[2\]
-- input { 1i64 empty([2][0]i32) } error: division by zero

-- ==
-- entry: column_and_row
-- input { [[1, 2], [3, 4]] } output { [1, 3, 2, 4] }
-- input { [[1, 2, 3], [4, 5, 6]] } error: Index \[2, 0\] out of bounds for array of shape \[2\]\[3\]

-- ==
-- entry: row_major
-- input { 0i64 [[1, 2], [3, 4]] } output { [[1, 2], [3, 4]] }
-- input { 1i64 [[1, 2], [3, 4]] } error: Index \[4\] out of bounds for array of shape \[4\]

-- The product of these, 2⁶⁴ + 1, is 1.
-- ==
-- entry: wrapped
-- input { 2i64 2i64 1i64 1i64 [1, 2, 3, 4] } output { 4 }
-- input { 274177i64 67280421310721i64 1i64 0i64 [7] }
-- error: Index \[67280421310721\] out of bounds for array of shape \[1\]

-- Of a side that is not taken nobody says anything.
-- ==
-- entry: beside
-- input { 0i64 0i64 [7] } output { 7 }
-- input { 0i64 1i64 [7] } error: Index \[1\] out of bounds for array of shape \[1\]
-- input { 1i64 1i64 empty([0]i32) } error: Index \[0\] out of bounds for array of shape \[0\]

entry rotated [n] (k: i64) (xs: [n]i32): [n]i32 =
  let k = k % (n + 2)
  in concat xs[k:] xs[:k] :> [n]i32

entry ring [n] (r: [n]i32) = map (\i -> r[(i + 1) % (n + 1)]) (iota n)

entry ring_towards_zero [n] (r: [n]i32) = map (\i -> r[(i - 1) %% n]) (iota n)

entry clamped [n] (k: i64) (r: [n]i32) = r[if k < 0 then k / 9 else if k >= n then n else k]

entry pairs [n] (xs: [n]i32) = map (\i -> xs[2 * i + 1]) (iota ((n + 1) / 2))

entry in_blocks [n] (xs: [n]i32) (b: i64) = map (\k -> i32.sum xs[k * b:(k + 1) * b]) (iota (n / b + 1))

entry row_and_column [n] [m] (l: i64) (xs: [n][m]i32) = map (\k -> xs[k / m, k % m]) (iota l)

entry column_and_row [n] [m] (xs: [n][m]i32) = map (\k -> xs[k % m, k / m]) (iota (n * m))

entry row_major [n] [m] (k: i64) (xs: [n][m]i32) =
  let ys = flatten xs
  in tabulate_2d n m (\i j -> ys[i * m + j + k])

entry wrapped [l] (n: i64) (m: i64) (i: i64) (j: i64) (ys: [l]i32) =
  if 0 <= i && i < n && 0 <= j && j < m && n * m == l then ys[i * m + j] else 0

entry beside [n] (k: i64) (l: i64) (xs: [n]i32) =
  let j = if k == 0 then l else if n > 0 then n - 1 else 0
  in xs[j]
