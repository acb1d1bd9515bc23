-- The array functions: slices, rotations, folds, shapes and scatters.
-- ==
-- entry: parts
-- input { [1, 2, 3] } output { 1 3 [2, 3] [1, 2] [1, 2] [3] false }
-- entry: turned
-- input { [1, 2, 3] } output { [3, 2, 1] [2, 3, 1] [3, 1, 2] [2, 3, 1] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) empty([0]i32) empty([0]i32) }
-- entry: split_in_two
-- input { [1, 2, 3, 4] } output { [1] [2, 3, 4] }
-- entry: joined
-- input { [1] [2, 3] } output { [1, 2, 3] [2, 3, 1] [1, 2, 3] }
-- entry: folded
-- input { [1, 2, 3] } output { -6 2 [1, 3, 6] [0, 1, 3] }
-- entry: made
-- input { 2i64 } output { [7, 7] [7, 7, 7] [0i64, 1i64] [0i64, 1i64, 4i64] [[0i64, 1i64], [1i64, 2i64]] }
-- entry: three_dimensions
-- input { 2i64 } output { [[[0i64, 1i64], [10i64, 11i64]], [[100i64, 101i64], [110i64, 111i64]]] }
-- entry: shaped
-- input { [1, 2, 3, 4, 5, 6] } output { [[1, 2, 3], [4, 5, 6]] [[1, 4], [2, 5], [3, 6]] [1, 2, 3, 4, 5, 6] }
-- entry: many_dimensions
-- input { [1, 2, 3, 4] } output { [1, 2, 3, 4] [1, 2, 3, 4] }
-- entry: zipped
-- input { [1, 2] [3.0, 4.0] } output { [1, 2] [3.0, 4.0] [3.0, 4.0] [2, 1] [2, 1] }
-- entry: mapped
-- input { [1, 2] } output { [2, 3] [3, 6] [4, 8] [5, 10] }
-- entry: counted
-- input { [0i64, 1i64, 0i64, 9i64] [1, 2, 3, 4] } output { [4, 2] }
-- entry: placed
-- input { [3i64, 0i64, 9i64] [1, 2, 3] } output { [2, -1, -1, 1, -1] }
-- entry: asked
-- input { [1, -2] } output { true false false true }

entry parts (xs: []i32) = (head xs, last xs, tail xs, init xs, take 2 xs, drop 2 xs, null xs)

entry turned (xs: []i32) = (reverse xs, rotate 1 xs, rotate (-1) xs, rotate 4 xs)

entry split_in_two (xs: [1 + 3]i32): ([1]i32, [3]i32) = split xs

entry joined (xs: []i32) (ys: []i32) = (xs ++ ys, concat ys xs, concat_to 3 xs ys)

entry folded (xs: []i32) = (foldl (-) 0 xs, foldr (-) 0 xs, scan (+) 0 xs, exscan (+) 0 xs)

entry made (n: i64) =
  (replicate n 7, rep 7 : [3]i32, indices (replicate n 0), tabulate 3 (\i -> i * i), tabulate_2d n n (+))

entry three_dimensions (n: i64) = tabulate_3d n n n (\i j k -> 100 * i + 10 * j + k)

entry shaped (xs: [2 * 3]i32) =
  let rows: [2][3]i32 = unflatten xs
  in (rows, transpose rows, flatten rows)

entry many_dimensions (xs: []i32) =
  let block: [2][1][2]i32 = unflatten_3d (sized (2 * 1 * 2) xs)
  let larger: [1][2][2][1]i32 = unflatten_4d (sized (1 * 2 * 2 * 1) xs)
  in (flatten_3d block, flatten_4d larger)

entry zipped [n] (xs: [n]i32) (ys: [n]f64) =
  let (a, b) = unzip (zip xs ys)
  let (_, c, _) = unzip3 (zip3 xs ys xs)
  let (_, _, _, d) = unzip4 (zip4 xs ys xs (reverse xs))
  let (_, _, _, _, e) = unzip5 (zip5 xs ys xs ys (reverse xs))
  in (a, b, c, d, e)

entry mapped (xs: []i32) =
  ( map1 (+ 1) xs, map3 (\a b c -> a + b + c) xs xs xs, map4 (\a b c d -> a + b + c + d) xs xs xs xs
  , map5 (\a b c d e -> a + b + c + d + e) xs xs xs xs xs )

entry counted [n] (is: [n]i64) (vs: [n]i32) = hist (+) 0 2 is vs

entry placed [n] (is: [n]i64) (vs: [n]i32) = spread 5 (-1) is vs

entry asked (xs: []i32) = (any (< 0) xs, all (< 0) xs, null xs, null (take 0 xs))
