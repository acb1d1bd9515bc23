-- Transposes of matrices that are larger than the tiles in which a CPU computes them, and not a multiple of them.
-- ==
-- entry: is_transposed
-- input { 100i64 70i64 } output { true true }
-- input { 16i64 64i64 } output { true true }
-- input { 17i64 65i64 } output { true true }
-- input { 300i64 1i64 } output { true true }
-- input { 1i64 300i64 } output { true true }
-- input { 0i64 5i64 } output { true true }
-- entry: transposed_sum
-- input { [[1, 2], [3, 4]] } output { [[2, 5], [5, 8]] }

-- A matrix whose first element is overwritten, so that it is computed as a whole before it is used.
def whole [n] [m] (xs: *[n][m]i64): *[n][m]i64 = scatter_2d xs [(0, 0)] [0]

-- Whether each element of a transpose, and of the sum of a matrix and a transpose, is at its place.
entry is_transposed (n: i64) (m: i64): (bool, bool) =
  let xs = whole (tabulate_2d n m (\i j -> i * m + j))
  let ys = whole (copy (transpose xs))
  let zs = whole (map2 (map2 (+)) (transpose xs) ys)
  let all_at (zs: [m][n]i64) (factor: i64) =
    and (flatten (tabulate_2d m n (\j i -> zs[j, i] == factor * (i * m + j))))
  in (all_at ys 1, all_at zs 2)

-- The sum of a matrix and its transpose.
entry transposed_sum [n] (xs: [n][n]i32): [n][n]i32 =
  map2 (map2 (+)) xs (transpose xs)
