-- Arrays of different sizes, one behind the other.
-- ==
-- entry: counted
-- input { [2i64, 0i64, 3i64] } output { [0i64, 1i64, 0i64, 1i64, 2i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
-- entry: kept
-- input { [[1, -2], [-3, -4], [5, 6]] } output { [1, 5, 6] [10, 50, 60] }

entry counted (ns: []i64): []i64 = flatmap (\n -> iota n) ns

entry kept (xss: [][]i32): ([]i32, []i32) =
  flatmap (\xs -> map (\x -> (x, 10 * x)) (filter (> 0) xs)) xss |> unzip
