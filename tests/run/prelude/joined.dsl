-- Arrays of different sizes, one behind the other.
-- ==
-- entry: counted
-- input { [2i64, 0i64, 3i64] } output { [0i64, 1i64, 0i64, 1i64, 2i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
-- entry: length_alone
-- input { [2i64, 0i64, 3i64] } output { 5i64 }
-- input { [9223372036854775807i64, 1i64] } error: Assertion|not enough memory
-- input { [4611686018427387904i64, 4611686018427387904i64, 4611686018427387904i64, 4611686018427387904i64] } error: Assertion|not enough memory
-- entry: kept
-- input { [[1, -2], [-3, -4], [5, 6]] } output { [1, 5, 6] [10, 50, 60] }

entry counted (ns: []i64): []i64 = flatmap (\n -> iota n) ns

entry length_alone (ns: []i64): i64 = length (flatmap (\n -> iota n) ns)

entry kept (xss: [][]i32): ([]i32, []i32) =
  flatmap (\xs -> map (\x -> (x, 10 * x)) (filter (> 0) xs)) xss |> unzip
