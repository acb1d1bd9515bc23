import "segmented"

-- ==
-- entry: scans
-- input { [true, false, false, true, false] [1, 2, 3, 4, 5] } output { [1, 3, 6, 4, 9] }
-- input { [false, false, true] [1, 2, 3] } output { [1, 3, 3] }
-- input { empty([0]bool) empty([0]i32) } output { empty([0]i32) }
entry scans [n] (flags: [n]bool) (xs: [n]i32): [n]i32 = segmented_scan (+) 0 flags xs

-- The operator of a segment need not commute.
-- ==
-- entry: scans_affine
-- input { [true, false, true, false] [2, 3, 5, 7] [1, 1, 1, 1] } output { [2, 6, 5, 35] [1, 4, 1, 8] }
entry scans_affine [n] (flags: [n]bool) (a: [n]i32) (b: [n]i32): ([n]i32, [n]i32) =
  unzip (segmented_scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) flags (zip a b))

-- ==
-- entry: reduces
-- input { [true, false, false, true, false, true] [1, 2, 3, 4, 5, 6] } output { [6, 9, 6] }
-- input { [false, false] [1, 2] } output { [3] }
-- input { [true, true] [1, 2] } output { [1, 2] }
-- input { empty([0]bool) empty([0]i32) } output { empty([0]i32) }
entry reduces [n] (flags: [n]bool) (xs: [n]i32): []i32 = segmented_reduce (+) 0 flags xs

-- ==
-- entry: replicates
-- input { [2i64, 0i64, 1i64] } output { [0i64, 0i64, 2i64] }
-- input { [0i64, 0i64, 3i64, 0i64] } output { [2i64, 2i64, 2i64] }
-- input { [0i64] } output { empty([0]i64) }
-- input { empty([0]i64) } output { empty([0]i64) }
entry replicates (counts: []i64): []i64 = replicated_iota counts

-- ==
-- entry: counts
-- input { [true, false, false, true, false] } output { [0i64, 1i64, 2i64, 0i64, 1i64] }
entry counts [n] (flags: [n]bool): [n]i64 = segmented_iota flags

-- ==
-- entry: expands
-- input { [2i64, 0i64, 3i64] } output { [0i64, 10i64, 0i64, 10i64, 20i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry expands (xs: []i64): []i64 = expand id (\_ i -> 10 * i) xs

-- ==
-- entry: expands_and_reduces
-- input { [2i64, 0i64, 3i64] } output { [1i64, 3i64] }
entry expands_and_reduces (xs: []i64): []i64 = expand_reduce id (\_ i -> i) (+) 0 xs

-- ==
-- entry: expands_outer
-- input { [2i64, 0i64, 3i64] } output { [1i64, 0i64, 3i64] }
-- input { [0i64, 0i64] } output { [0i64, 0i64] }
entry expands_outer [n] (xs: [n]i64): [n]i64 = expand_outer_reduce id (\_ i -> i) (+) 0 xs
