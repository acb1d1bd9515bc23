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

-- That a size was checked says nothing of numbers that need not wait for the check: these have the same factors, and wrap
-- around.
-- ==
-- entry: unchecked_factors
-- input { [1i64, 2i64, 3i64] 4611686018427387904i64 4i64 2305843009213693952i64 0i64 }
-- error:
entry unchecked_factors [n] (xs: [n]i64) (r: i64) (w: i64) (i: i64) (j: i64): i64 =
  if 0 <= i && i < r && 0 <= j && j < w && n > 0
  then (flatten (replicate r (replicate w 1i64)))[0] * 0 + xs[(i * w + j) %% n]
  else 7

-- That a loop has a round says that there is a last element; where it has none there may be no array.
-- ==
-- entry: last_of_a_round
-- input { [1i64, 2i64, 3i64] -1000000000i64 } output { 0i64 }
-- input { [1i64, 2i64, 3i64] 3i64 } output { 27i64 }
entry last_of_a_round [n] (xs: [n]i64) (k: i64): i64 =
  if k <= n then loop s = 0 for _i < k do s + i64.sum (map (\x -> x * x) xs[k-1:k]) else 99

-- ==
-- entry: rest_of_a_round
-- input { empty([0]i64) } output { 0i64 }
entry rest_of_a_round [n] (xs: [n]i64): i64 =
  loop s = 0 for i < n do let ys = scan (+) 0 xs[1:] in s + (if i > 0 then ys[i-1] else 3)
