-- stream_map: the result does not depend on the chunks.
-- ==
-- entry: doubled
-- input { [1, 2, 3, 4, 5, 6, 7] }
-- output { [2, 4, 6, 8, 10, 12, 14] }
-- input { empty([0]i32) }
-- output { empty([0]i32) }
-- entry: many
-- input { 5000i64 }
-- output { true }
-- input { 1024i64 }
-- output { true }
-- input { 64i64 }
-- output { true }
-- input { 65i64 }
-- output { true }
-- entry: pairs
-- input { [1, 2, 3] [1.5, 2.5, 3.5] }
-- output { [2.5, 4.5, 6.5] [2, 3, 4] }
-- entry: rows
-- input { [[1, 2], [3, 4], [5, 6]] }
-- output { [[2, 1], [4, 3], [6, 5]] [3, 7, 11] }
-- input { empty([0][2]i32) }
-- output { empty([0][2]i32) empty([0]i32) }
-- entry: nothing_is_empty
-- input { empty([0]i32) }
-- output { empty([0]i32) }
-- input { [7, 8] }
-- output { [7, 8] }
-- entry: captured
-- input { [1, 2, 3] [10, 20] }
-- output { [31, 32, 33] }
-- entry: consumed_later
-- input { [1, 2, 3, 4, 5, 6] }
-- output { [9, 2, 3, 4, 5, 6] [1, 2, 3, 4, 5, 6] }

entry doubled [n] (xs: [n]i32): [n]i32 = stream_map (\k (ys: [k]i32) -> map (2 *) ys) xs

entry many (n: i64): bool =
  let squares = stream_map (\k (is: [k]i64) -> map (\i -> i * i) is) (iota n)
  in all id (map2 (==) squares (map (\i -> i * i) (iota n)))

entry pairs [n] (xs: [n]i32) (ys: [n]f64): ([n]f64, [n]i32) =
  unzip (stream_map (\k (xys: [k](i32, f64)) -> map (\(x, y) -> (f64.i32 x + y, x + 1)) xys) (zip xs ys))

entry rows [n] (xss: [n][2]i32): ([n][2]i32, [n]i32) =
  unzip (stream_map (\k (yss: [k][2]i32) -> zip (map reverse yss) (map (reduce (+) 0) yss)) xss)

entry nothing_is_empty [n] (xs: [n]i32): [n]i32 =
  stream_map (\k (ys: [k]i32) -> map (\y -> assert (k > 0) y) ys) xs

entry captured [n] [m] (xs: [n]i32) (ys: [m]i32): [n]i32 =
  let total = reduce (+) 0 ys
  in stream_map (\k (zs: [k]i32) -> map (+ total) zs) xs

entry consumed_later [n] (xs: [n]i32): ([n]i32, [n]i32) =
  let ys = stream_map (\k (zs: [k]i32) -> zs) xs
  in (ys with [0] = 9, xs)
