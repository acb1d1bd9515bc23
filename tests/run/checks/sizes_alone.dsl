-- An array of which only the size is used must be made without a failure, even if the size is known without it.
-- ==
-- entry: of_a_row of_rows of_a_repetition of_an_update of_a_pair of_the_second of_a_concatenation of_a_transposition of_a_flattening of_a_map of_a_copy of_a_reversal of_a_coercion
-- input { 1i64 [[1, 2], [3, 4]] }
-- input { -1i64 [[1, 2], [3, 4]] } error: ^Index \[-1\] out of bounds for array of shape \[2\]\.\n\nBacktrace:\n-> #0 .*sizes_alone\.dsl:\d+:\d+-\d+$
-- input { 2i64 [[1, 2], [3, 4]] } error: ^Index \[2\] out of bounds for array of shape \[2\]\.\n\nBacktrace:\n-> #0 .*sizes_alone\.dsl:\d+:\d+-\d+$
entry of_a_row (i: i64) (xss: [][]i32): i64 = length xss[i]
entry of_rows (i: i64) (xss: [][]i32): i64 = length [xss[i], xss[0]]
entry of_a_repetition (i: i64) (xss: [][]i32): i64 = length (replicate 3 xss[i])
entry of_an_update (i: i64) (xss: [][]i32): i64 = length (copy xss with [i] = xss[0])
entry of_a_pair (i: i64) (xss: [][]i32): i64 = length (zip xss[i] xss[0])
entry of_the_second (i: i64) (xss: [][]i32): i64 = length (zip xss[0] xss[i])
entry of_a_concatenation (i: i64) (xss: [][]i32): i64 = length (xss[0] ++ xss[i])
entry of_a_transposition (i: i64) (xss: [][]i32): i64 = length (transpose [xss[i]])
entry of_a_flattening (i: i64) (xss: [][]i32): i64 = length (flatten [xss[i], xss[0]])
entry of_a_map (i: i64) (xss: [][]i32): i64 = length (map (+ 1) xss[i])
entry of_a_copy (i: i64) (xss: [][]i32): i64 = length (copy xss[i])
entry of_a_reversal (i: i64) (xss: [][]i32): i64 = let xs = xss[i] let ys = reverse xs in length ys
entry of_a_coercion (i: i64) (xss: [][]i32): i64 = length (xss[i] :> [2]i32)

-- ==
-- entry: of_a_literal of_a_part
-- input { 1i64 [[1, 2], [3, 4]] } output { 1i64 }
-- input { 2i64 [[1, 2], [3, 4]] } error: ^Index \[2, 0(:1)?\] out of bounds for array of shape \[2\]\[2\]\.
entry of_a_literal (i: i64) (xss: [][]i32): i64 = length [xss[i, 0] + 1]
entry of_a_part (i: i64) (xss: [][]i32): i64 = length xss[i, 0:1]

-- ==
-- entry: of_elements of_an_updated_array
-- input { 1i64 [7, 8] }
-- input { 2i64 [7, 8] } error: ^Index \[2\] out of bounds for array of shape \[2\]\.
entry of_elements (i: i64) (xs: []i32): i64 = length [xs[i]]
entry of_an_updated_array (i: i64) (xs: *[]i32): i64 = length (xs with [i] = 4)

-- A coercion to a size that is known elsewhere is a check too.
-- ==
-- entry: of_a_coercion_to_a_size
-- input { [1, 2] [3, 4] } output { 2i64 }
-- input { [1, 2] [3] } error: ^Value of shape \[1\] cannot match shape of type "\[2\]i32"\.
entry of_a_coercion_to_a_size [n] (_: [n]i32) (ys: []i32): i64 = length (ys :> [n]i32)

-- The failure names the calls that lead to the array, not those that use its size.
-- ==
-- entry: through_calls
-- input { 1i64 [[1, 2], [3, 4]] } output { 3i64 }
-- input { 2i64 [[1, 2], [3, 4]] }
-- error: ^Index \[2\] out of bounds for array of shape \[2\]\.\n\nBacktrace:\n-> #0 .*dsl:48:\d+-\d+\n   #1 .*dsl:50:\d+-\d+$
def row [n] [m] (i: i64) (xss: [n][m]i32): [m]i32 = xss[i]
def size [n] (_: [n]i32): i64 = n
entry through_calls (i: i64) (xss: [][]i32): i64 = size (row i xss) + 1

-- The size is used by a function that is inlined, specialised or called, by a part of a result, by a branch, a loop, a
-- map, or as another size.
-- ==
-- entry: by_a_name by_a_local_function by_a_closure by_a_large_function by_an_inner_function by_a_call by_a_part by_a_branch by_a_loop by_elements by_a_map by_an_array by_a_sum
-- input { 1i64 [[1, 2], [3, 4]] }
-- input { 2i64 [[1, 2], [3, 4]] } error: ^Index \[2\] out of bounds for array of shape \[2\]\.
def large [n] (xs: [n]i32) (k: i32): (i64, i32, i32) =
  let a = loop a = k for i < 10 do a * 3 + i32.i64 i
  let b = loop b = a for i < 10 do b * 5 + (a ^ i32.i64 i)
  let c = loop c = b for i < 10 do c * 7 + (b ^ i32.i64 i) + a
  in (length xs, c, i32.sum xs)
def larger [n] (xs: [n]i32) (k: i32): (i64, i32) = let (a, b, _) = large xs k in (a + 1, b)
def size_and_sum [n] (xs: [n]i32): (i64, i32) = (n, i32.sum xs)
def first_of_one [n] (xs: [n]i32): i32 = if n > 1 then 0 else xs[0]
def twos [n] (_: [n]i32): [n]i64 = replicate n 2
#[noinline]
def called [n] (xs: [n]i32): i64 = length xs

entry by_a_name (i: i64) (xss: [][]i32): i64 = let [n] (_: [n]i32) = xss[i] in n
entry by_a_local_function (i: i64) (xss: [][]i32): i64 = let f [n] (_: [n]i32) = n * 2 in f xss[i]
entry by_a_closure (i: i64) (xss: [][]i32): i64 =
  let xs = xss[i]
  let call (f: () -> i64) = f ()
  in call (\() -> length xs)
entry by_a_large_function (i: i64) (xss: [][]i32): i64 = (large xss[i] 1).0 + (large xss[0] 2).0
entry by_an_inner_function (i: i64) (xss: [][]i32): i64 = (larger xss[i] 1).0 + (larger xss[0] 2).0
entry by_a_call (i: i64) (xss: [][]i32): i64 = called xss[i]
entry by_a_part (i: i64) (xss: [][]i32): i64 = (size_and_sum xss[i]).0
entry by_a_branch (i: i64) (xss: [][]i32): i32 = first_of_one xss[i]
entry by_a_loop (i: i64) (xss: [][]i32): i64 = loop n = 0 for _x in xss[i] do n + 1
entry by_elements (i: i64) (xss: [][]i32): []i64 = map (\j -> length xss[j]) [0, i]
entry by_a_map (i: i64) (xss: [][]i32): i32 = i32.sum (map (const 1) xss[i])
entry by_an_array (i: i64) (xss: [][]i32): []i64 = twos xss[i]
entry by_a_sum (i: i64) (xss: [][]i32): i64 = i64.sum (iota (length xss[i]))

-- A check of the size itself.
-- ==
-- entry: of_a_slice of_counted
-- input { 2i64 [[1, 2], [3, 4]] } output { 2i64 }
-- input { 3i64 [[1, 2], [3, 4]] } error: out of bounds|is invalid
entry of_a_slice (i: i64) (xss: [][]i32): i64 = length xss[0:i]
entry of_counted (i: i64) (_: [][]i32): i64 = let n = if i == 2 then 2 else -1 in length (replicate n 1i32)

-- The assertion before the size is used is checked first.
-- ==
-- entry: after_an_assertion
-- input { 1i64 [[1, 2], [3, 4]] } output { 2i64 }
-- input { 2i64 [[1, 2], [3, 4]] } error: ^Assertion is false: \(i < 2\)
entry after_an_assertion (i: i64) (xss: [][]i32): i64 = assert (i < 2) (length xss[i])

-- The elements need not be computed.
-- ==
-- entry: of_a_failing_map
-- input { 1i64 [[1, 2], [3, 4]] } output { 2i64 }
entry of_a_failing_map (i: i64) (xss: [][]i32): i64 = length (map (\j -> xss[i, j]) [0, 1])
