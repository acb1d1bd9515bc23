-- A map over many empty rows takes long. It is not computed for a loop without iterations or an array without elements.
-- ==
-- entry: loops
-- input { [[1i64, 2i64], [3i64, 4i64]] 2i64 } output { 24i64 }
-- input { empty([1000000000000][0]i64) 0i64 } output { 0i64 }

-- ==
-- entry: maps
-- input { [[1i64, 2i64], [3i64, 4i64]] [5i64] } output { [17i64] }
-- input { empty([1000000000000][0]i64) empty([0]i64) } output { empty([0]i64) }

entry loops [n] [m] (zs: [n][m]i64) (k: i64) =
  loop s = 0 for _i < k do s + i64.sum (map (\r -> i64.sum r + 1) zs)

entry maps [n] [m] (zs: [n][m]i64) (xs: []i64) = map (\x -> x + i64.sum (map (\r -> i64.sum r + 1) zs)) xs
