-- Arrays of different sizes, concatenated: their sizes, their starts as flags and as offsets, and their elements.
-- ==
-- entry: counted
-- input { [2i64, 0i64, 3i64] }
-- output { [2i64, 0i64, 3i64] [true, false, true, false, false] [0i64, 2i64, 2i64] [0i64, 1i64, 0i64, 1i64, 2i64] }
-- input { [0i64, 0i64, 1i64, 0i64] } output { [0i64, 0i64, 1i64, 0i64] [true] [0i64, 0i64, 0i64, 1i64] [0i64] }
-- input { [0i64, 0i64] } output { [0i64, 0i64] empty([0]bool) [0i64, 0i64] empty([0]i64) }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]bool) empty([0]i64) empty([0]i64) }
-- entry: halved
-- input { [2, 5, 0] }
-- output { [2i64, 5i64, 0i64] [true, false, true, false, false, false, false] [0i64, 2i64, 7i64] [0, 2, 0, 5, 10, 15, 20] [1.0, 2.5, 0.0] [true, false, true] }
-- entry: length_alone
-- input { [2i64, 0i64, 3i64] } output { 5i64 }
-- input { [9223372036854775807i64, 1i64] } error: Assertion|not enough memory
-- input { [4611686018427387904i64, 4611686018427387904i64, 4611686018427387904i64, 4611686018427387904i64] } error: Assertion|not enough memory
-- entry: kept
-- input { [[1, -2], [-3, -4], [5, 6]] } output { [1, 5, 6] [10, 50, 60] }
-- entry: rows
-- input { [1i64, 0i64, 2i64] } output { [[1i64, 1i64], [2i64, 2i64], [2i64, 2i64]] [3i64, 3i64] }

entry counted (ns: []i64) = flatmap' (\n -> iota n) ns

entry halved (ns: []i32) =
  let (sizes, flags, starts, joined, others) =
    flatmap (\n -> (map (\i -> n * i32.i64 i) (iota (i64.i32 n)), (f64.i32 n / 2, n % 2 == 0))) ns
  let (halves, even) = unzip others
  in (sizes, flags, starts, joined, halves, even)

entry length_alone (ns: []i64): i64 = length (flatmap' (\n -> iota n) ns).3

entry kept (xss: [][]i32): ([]i32, []i32) =
  (flatmap' (\xs -> map (\x -> (x, 10 * x)) (filter (> 0) xs)) xss).3 |> unzip

entry rows (ns: []i64) =
  let (_, _, _, joined, _) = flatmap (\n -> (replicate n [n, n], ())) ns
  in (joined, reduce (map2 i64.max) [0, 0] joined |> map (+ 1))
