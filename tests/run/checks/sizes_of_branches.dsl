-- An array of which only the size is used, made by a branch or a loop: the checks of the sides that are taken, and of the
-- iterations that are run, count.
-- ==
-- entry: of_a_branch of_an_inner_branch of_a_match of_a_sum of_an_inlined_function of_a_called_function of_a_pair
-- input { true 1i64 [[1, 2], [3, 4]] } output { 2i64 }
-- input { true 2i64 [[1, 2], [3, 4]] } error: ^Index \[2\] out of bounds for array of shape \[2\]\.\n\nBacktrace:\n-> #0
-- input { false 2i64 [[1, 2], [3, 4]] } output { 2i64 }
type either [n] = #left ([n]i32) | #right ([n]i32)
def row (c: bool) (i: i64) (xss: [][]i32) = if c then xss[i] else xss[0]
#[noinline] def size_of_row (c: bool) (i: i64) (xss: [][]i32): i64 = length (if c then xss[i] else xss[0])

entry of_a_branch (c: bool) (i: i64) (xss: [][]i32): i64 = length (if c then xss[i] else xss[0])
entry of_an_inner_branch (c: bool) (i: i64) (xss: [][]i32): i64 =
  length (if c then (if i > 1 then map (+ 1) xss[i] else xss[1]) else xss[0])
entry of_a_match (c: bool) (i: i64) (xss: [][]i32): i64 = length (match c case true -> xss[i] case false -> xss[0])
entry of_a_sum [m] (c: bool) (i: i64) (xss: [][m]i32): i64 =
  match ((if c then #left xss[i] else #right xss[0]): either [m])
  case #left xs -> length xs
  case #right xs -> length xs
entry of_an_inlined_function (c: bool) (i: i64) (xss: [][]i32): i64 = length (row c i xss)
entry of_a_called_function (c: bool) (i: i64) (xss: [][]i32): i64 = size_of_row c i xss
entry of_a_pair (c: bool) (i: i64) (xss: [][]i32): i64 =
  let (xs, _) = if c then (xss[i], xss[1, 0]) else (xss[0], 0) in length xs

-- A side may also choose the size.
-- ==
-- entry: of_a_part of_a_part_of_a_row
-- input { true 1i64 [[1, 2], [3, 4]] } output { 1i64 }
-- input { true 3i64 [[1, 2], [3, 4]] } error: out of bounds
-- input { false 3i64 [[1, 2], [3, 4]] } output { 2i64 }
entry of_a_part (c: bool) (i: i64) (xss: [][]i32): i64 = length (if c then xss[0, i:] else xss[0])
entry of_a_part_of_a_row (c: bool) (i: i64) (xss: [][]i32): i64 = length (if c then (xss[i])[:1] else xss[0])

-- ==
-- entry: of_a_loop of_updates of_a_condition of_rounds of_a_named_size of_two_arrays of_a_branch_in_a_loop
-- input { 1i64 [[1, 2], [3, 4]] } output { 2i64 }
-- input { 3i64 [[1, 2], [3, 4]] } error: ^Index \[[23](, 0)?\] out of bounds for array of shape \[2\](\[2\])?\.
entry of_a_loop (k: i64) (xss: [][]i32): i64 = length (loop xs = xss[0] for i < k do xss[i])
entry of_updates (k: i64) (xss: [][]i32): i64 = length (loop xs = copy xss[0] for i < k do xs with [i] = 1)
entry of_a_condition (k: i64) (xss: [][]i32): i64 = length (loop xs = xss[0] while xss[k, 0] < 0 || length (xss[k]) < 2 do xs)
entry of_rounds (k: i64) (xss: [][]i32): i64 = (loop (xs, n) = (xss[0], 0) for i < k do (xss[i], i64.max n (length xs))).1
entry of_a_named_size (k: i64) (xss: [][]i32): i64 =
  (loop [m] (xs: [m]i32, n) = (xss[0], 0) for i < k do (xss[i], i64.max n m)).1
entry of_two_arrays (k: i64) (xss: [][]i32): i64 = length (loop (xs, ys) = (xss[0], xss[1]) for i < k do (ys, xss[i])).0
entry of_a_branch_in_a_loop (k: i64) (xss: [][]i32): i64 =
  length (loop xs = xss[0] for i < k do if i > 0 then xss[i] else xs)

-- ==
-- entry: in_a_map in_a_map_of_loops
-- input { [1i64, 0] [[1, 2], [3, 4]] } output { [2i64, 2] }
-- input { [1i64, 3] [[1, 2], [3, 4]] } error: ^Index \[[23]\] out of bounds for array of shape \[2\]\.
entry in_a_map (ks: []i64) (xss: [][]i32): []i64 = map (\k -> length (if k > 1 then xss[k] else xss[0])) ks
entry in_a_map_of_loops (ks: []i64) (xss: [][]i32): []i64 = map (\k -> length (loop xs = xss[0] for i < k do xss[i])) ks
