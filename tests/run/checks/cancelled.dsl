-- A value that depends on a check keeps it, even if the rest of the expression determines the result.
-- ==
-- entry: size_of_a_slice size_of_a_replicate size_of_rows size_in_a_loop
-- input { 2i64 [1, 2, 3] } output { 0i64 }
-- input { 4i64 [1, 2, 3] } error: out of bounds|is invalid
entry size_of_a_slice (i: i64) (xs: []i32): i64 = length xs[0:i] * 0
entry size_of_a_replicate (i: i64) (_: []i32): i64 = let n = length (replicate (3 - i) 1i32) in n - n
entry size_of_rows (i: i64) (xs: []i32): i64 = length (replicate 3 xs)[i:] & 0
entry size_in_a_loop (i: i64) (xs: []i32): i64 = loop s = 0 for _j < 3 do s + length xs[0:i] * 0

-- ==
-- entry: in_tuples in_records in_arrays in_sums in_parts unequal
-- input { 2i64 [1, 2, 3] } output { false }
-- input { 3i64 [1, 2, 3] } error: Index \[3\] out of bounds for array of shape \[3\]
type t = #a i32 | #b
entry in_tuples (i: i64) (xs: []i32): bool = (xs[i], 2) == (xs[i], 3)
entry in_records (i: i64) (xs: []i32): bool = {a = xs[i], b = 2} == {a = xs[i], b = 3}
entry in_arrays (i: i64) (xs: []i32): bool = [1, xs[i]] == [2, xs[i]]
entry in_sums (i: i64) (xs: []i32): bool = (#a xs[i] : t) == #b
entry in_parts (i: i64) (xs: []i32): bool = (xs[i], (1, 2)) == (xs[i], (1, 3))
entry unequal (i: i64) (xs: []i32): bool = !((xs[i], 2) != (xs[i], 3))

-- ==
-- entry: before_false before_true twice
-- input { 2i64 [1, 2, 3] } output { false }
-- input { 3i64 [1, 2, 3] } error: Index \[3\] out of bounds for array of shape \[3\]
entry before_false (i: i64) (xs: []i32): bool = xs[i] > 1 && false
entry before_true (i: i64) (xs: []i32): bool = !(xs[i] > 1 || true)
entry twice (i: i64) (xs: []i32): bool = let c = xs[i] > 9 in c && (c && false)

-- The right operand is not computed if the left one determines the result.
-- ==
-- entry: after_false after_true
-- input { 3i64 [1, 2, 3] } output { false }
entry after_false (i: i64) (xs: []i32): bool = false && xs[i] > 1
entry after_true (i: i64) (xs: []i32): bool = !(true || xs[i] > 1)

-- ==
-- entry: no_rounds no_rounds_of_a_slice
-- input { 2i64 [1, 2, 3] } output { 1 }
-- input { 4i64 [1, 2, 3] } error: out of bounds
entry no_rounds (i: i64) (xs: []i32): i32 = loop a = 1 for _j < xs[i] * 0 do a + 1
entry no_rounds_of_a_slice (i: i64) (xs: []i32): i32 = loop a = 1 for _j < length xs[0:i] * 0 do a + 1

-- An assertion inside an argument that is a size.
-- ==
-- entry: in_a_size in_a_bound in_a_written_size
-- input { 2i64 } output { [7, 7, 7] }
-- input { 3i64 } error: Assertion is false: \(i < 3\)
entry in_a_size (i: i64): []i32 = replicate (i64.i32 (i32.i64 (assert (i < 3) i) + 1)) 7
entry in_a_bound (i: i64): []i32 = (replicate 5 7)[:i64.i32 (i32.i64 (assert (i < 3) i) + 1)]
entry in_a_written_size (i: i64): [i + 1]i32 = replicate ((assert (i < 3) i) + 1) 7
