-- An array of which only the size is used need not be computed. Compiled code returns its size.
-- ==
-- entry: of_a_row of_a_map
-- input { 1i64 [[1, 2], [3, 4]] } output { 2i64 }
entry of_a_row (i: i64) (xss: [][]i32): i64 = length xss[i]
entry of_a_map (i: i64) (xss: [][]i32): i64 = length (map (\j -> xss[i, j]) [0, 1])

-- The size itself is checked.
-- ==
-- entry: of_a_slice of_a_repetition
-- input { 2i64 [[1, 2], [3, 4]] } output { 2i64 }
-- input { 3i64 [[1, 2], [3, 4]] } error: out of bounds|is invalid
entry of_a_slice (i: i64) (xss: [][]i32): i64 = length xss[0:i]
entry of_a_repetition (i: i64) (_: [][]i32): i64 = let n = if i == 2 then 2 else -1 in length (replicate n 1i32)
