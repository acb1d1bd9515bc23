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

-- Totals of pairs by an operator that does not commute are those that a loop computes. A period of 0 is one segment, and a
-- period of 1 makes each element one.
-- ==
-- entry: reduces_affine
-- input { 0i64 3i64 } output { true }
-- input { 1i64 0i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 13i64 0i64 } output { true }
-- input { 4099i64 1i64 } output { true }
-- input { 16411i64 10i64 } output { true }
-- input { 16411i64 5003i64 } output { true }
-- input { 16411i64 0i64 } output { true }
entry reduces_affine (n: i64) (period: i64): bool =
  let flags = map (\i -> period > 0 && i % period == period / 2) (iota n)
  let maps = map (\i -> (i32.i64 (i % 5) - 2, i32.i64 (i % 11))) (iota n)
  let join (a: i32, b: i32) (c: i32, d: i32) = (a * c, b * c + d)
  let (count, firsts, seconds) =
    loop (count, firsts, seconds) = (0, replicate n 1, replicate n 0) for i < n do
      let begins = i == 0 || flags[i]
      let place = if begins then count else count - 1
      let before = if begins then (1, 0) else (firsts[place], seconds[place])
      let (a, b) = join before maps[i]
      in (place + 1, firsts with [place] = a, seconds with [place] = b)
  let totals = segmented_reduce join (1, 0) flags maps
  let same i (a, b) = a == firsts[i] && b == seconds[i]
  in length totals == count && and (map2 same (indices totals) totals)

-- ==
-- entry: reduces_rows
-- input { [false, true, false] [[1, 2], [3, 4], [5, 6]] } output { [[1, 2], [8, 10]] }
-- input { [false, false] [[1, 2], [3, 4]] } output { [[4, 6]] }
entry reduces_rows [n] (flags: [n]bool) (xss: [n][2]i32): [][2]i32 =
  segmented_reduce (map2 (+)) (replicate 2 0) flags xss
