-- Inside `#[unsafe]`, compiled code assumes that sizes match: for concatenations, updates and
-- type annotations, also through functions.
-- ==
-- entry: products_of_parts products_of_taken products_inside products_of_calls
-- input { 2i64 [1, 2, 3] [4, 5, 6] } output { 14 }
-- input { 0i64 [1, 2, 3] [4, 5, 6] } output { 0 }
entry products_of_parts [n] (j: i64) (x: [n]i32) (y: [n]i32): i32 =
  i32.sum (map2 (*) (#[unsafe] take j x) (#[unsafe] take j y))

def taken [n] (j: i64) (x: [n]i32): [j]i32 = #[unsafe] x[:j]

entry products_of_taken [n] (j: i64) (x: [n]i32) (y: [n]i32): i32 =
  i32.sum (map2 (*) (taken j x) (taken j y))

def part [n] (j: i64) (x: [n]i32): []i32 = x[:j + j - j]

entry products_inside [n] (j: i64) (x: [n]i32) (y: [n]i32): i32 =
  #[unsafe] i32.sum (map2 (*) (part j x :> [j]i32) (part j y :> [j]i32))

#[noinline]
def called [n] (j: i64) (x: [n]i32): [j]i32 = x[:j]

entry products_of_calls [n] (j: i64) (x: [n]i32) (y: [n]i32): i32 =
  #[unsafe] i32.sum (map2 (*) (called j x) (called j y))

-- ==
-- entry: column
-- structure { assert 1 }
-- input { 1i64 [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5], [6, 6, 6, 6, 6], [1, 2, 3, 7, 5]]
--              [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]] }
-- output { [[6, 0, 0, 0, 0], [7, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]] }
entry column [n] (b: i64) (x: [n][n]i32) (y: *[n][n]i32): *[n][n]i32 =
  #[unsafe]
  let y[0:b + 1, 0] = x[b * 3:b * 3 + b + 1, b * 3]
  in y

-- ==
-- entry: rows
-- input { 2i64 [1, 2, 3, 4] } output { [[1, 2], [3, 4]] }
-- entry: filled
-- input { 2i64 2i64 [9, 9, 9, 9, 9] } output { [0, 1, 0, 1, 9] }
-- entry: sums_of_blocks
-- input { 2i64 [1, 2, 3, 4] } output { [3, 7] }
entry rows [n] (j: i64) (x: [n]i32): [][]i32 = #[unsafe] unflatten (x :> [j * j]i32)

entry filled [n] (j: i64) (k: i64) (x: *[n]i32): *[n]i32 =
  #[unsafe]
  loop x for i < k do
    x with [i * j:(i + 1) * j] = map i32.i64 (iota ((i + 1) * j - i * j))

entry sums_of_blocks [n] (j: i64) (x: [n]i32): [j]i32 =
  #[unsafe] map (\i -> i32.sum x[i * j:(i + 1) * j]) (iota j)

-- Outside of it, the same sizes are checked.
-- ==
-- entry: outside
-- input { 2i64 [1, 2, 3] } output { [1, 2] }
-- input { 5i64 [1, 2, 3] } error: Index \[:5\] out of bounds for array of shape \[3\]
entry outside [n] (j: i64) (x: [n]i32): []i32 =
  let _ = #[unsafe] 3
  in x[:j]
