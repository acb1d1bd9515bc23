-- `:>` states sizes that the checker cannot know; they are checked when the program runs.
-- ==
-- entry: one
-- input { 3i64 [1, 2, 3] } output { [1, 3, 5] }
-- input { 2i64 [1, 2, 3] }
-- error: Value of shape \[3\] cannot match shape of type "\[2\]i32"
-- entry: two
-- input { [[1, 2], [3, 4]] } output { [[1, 3], [2, 4]] }
-- input { [[1, 2, 3], [4, 5, 6]] }
-- error: Value of shape \[2\]\[3\] cannot match shape of type "\[2\]\[2\]i32"
-- entry: of_tuples
-- input { 2i64 [1, 2] [3, 4] } output { [1, 2] [3, 4] }
-- input { 2i64 [1, 2] [3] }
-- error: Value of shape \[1\] cannot match shape of type "\[2\]i32"
-- entry: of_arithmetic
-- input { [1, 2, 3] } output { [3, 5] }
-- entry: to_a_constant
-- input { [1, 2, 3] } output { 6 }
-- input { [1, 2] }
-- error: Value of shape \[2\] cannot match shape of type "\[3\]i32"
-- entry: of_a_filter
-- input { [1, -2, 3] 2i64 } output { [1i64, 4i64] }
-- input { [1, -2, 3] 3i64 }
-- error: Value of shape \[2\] cannot match shape of type "\[3\]i32"

entry one (n: i64) (xs: []i32): [n]i32 = map2 (+) (xs :> [n]i32) (map i32.i64 (iota n))

entry two [n] (xss: [n][]i32): [n][n]i32 = transpose (xss :> [n][n]i32)

entry of_tuples (n: i64) (xs: []i32) (ys: []i32): ([n]i32, [n]i32) =
  (xs, ys) :> ([n]i32, [n]i32)

entry of_arithmetic [n] (xs: [n]i32): []i32 =
  let m = n - 1
  in map2 (+) xs[0:m] (xs[1:n] :> [m]i32)

entry to_a_constant (xs: []i32): i32 =
  let ys = xs :> [3]i32
  in ys[0] + ys[1] + ys[2]

entry of_a_filter (xs: []i32) (n: i64): [n]i64 =
  map2 (\x i -> i64.i32 x + i) (filter (> 0) xs :> [n]i32) (iota n)
