-- The size of a slice is its end minus its start.
-- ==
-- entry: rest
-- input { [5i64, 6i64, 7i64] 1i64 } output { [6i64, 8i64] }
-- input { [5i64, 6i64, 7i64] 3i64 } output { empty([0]i64) }
-- input { [5i64, 6i64, 7i64] 4i64 } error: Range 0..1..<-1 is invalid
-- entry: between
-- input { [5i64, 6i64, 7i64] 1i64 3i64 } output { [6i64, 8i64] }
-- input { [5i64, 6i64, 7i64] 2i64 1i64 } error: Range 0..1..<-1 is invalid
-- entry: neighbours
-- input { [1, 2, 4, 8] } output { [1, 2, 4] }
-- input { empty([0]i32) } error: out of bounds
-- entry: of_two_dimensions
-- input { [[1, 2], [3, 4], [5, 6]] 1i64 } output { [[4], [6]] 2i64 }
-- entry: result
-- input { [1, 2, 3] 1i64 } output { [2, 3] [2, 3] }
-- entry: shrinking
-- input { [1, 2, 3, 4] } output { [3, 4] }
-- entry: of_a_mapped_bound
-- input { [1, 2, 3, 4] [0i64, 2i64] } output { [3, 7] }

entry rest [n] (xs: [n]i64) (i: i64) = map2 (+) xs[i:] (iota (n - i))

entry between (xs: []i64) (i: i64) (j: i64) = map2 (+) xs[i:j] (iota (j - i))

entry neighbours [n] (xs: [n]i32): [n - 1]i32 = map2 (-) xs[1:] xs[:n - 1]

entry of_two_dimensions [n] (xss: [n][2]i32) (i: i64): ([n - i][1]i32, i64) =
  (xss[i:, 1:] :> [n - i][1]i32, length xss[i:])

def behind [n] 't (xs: [n]t) (i: i64) = xs[i:]

entry result [n] (xs: [n]i32) (i: i64): ([n - i]i32, []i32) = (behind xs i, (\(ys, j) -> ys[j:]) (xs, i))

entry shrinking (xs: []i32) = loop xs for _i < 2i32 do xs[1:]

entry of_a_mapped_bound (xs: []i32) (is: []i64) = map (\i -> i32.sum xs[i:i + 2]) is
