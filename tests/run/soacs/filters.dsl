-- Filters, and operations on the kept elements: in one traversal, or next to the array of kept elements.
-- ==
-- entry: mapped
-- input { [3, -1, 4, -1, 5] } output { [9, 16, 25] }
-- input { [-3, -4] } output { empty([0]i32) }
-- input { empty([0]i32) } output { empty([0]i32) }
-- entry: summed
-- input { [3, -1, 4, -1, 5] } output { 50 }
-- input { empty([0]i32) } output { 0 }
-- entry: least
-- input { [3, -1, 4, -1, 5] } output { 3 }
-- input { [-1] } output { 2147483647 }
-- entry: scanned
-- input { [3, -1, 4, -1, 5] } output { [3, 7, 12] [3, 12, 60] 12 }
-- input { [-1] } output { empty([0]i32) empty([0]i32) 0 }
-- entry: twice
-- input { [30, -1, 4, 11, -1, 5, 9] } output { [4, 5, 9] }
-- input { [30, -1] } output { empty([0]i32) }
-- entry: thrice_summed
-- input { 100000i64 } output { 1666683333i64 }
-- entry: pairs
-- input { [3, -1, 4, -1, 5] } output { [3, 4, 5] [0i64, 2i64, 4i64] 40i64 }
-- entry: mean
-- input { [3.0, -1.0, 4.0, -1.0, 5.0] } output { 4.0 }
-- entry: behind_the_mark
-- input { [3, 0, 4, -1, 5] } output { 47 }
-- entry: failing
-- input { [3, 0, 4, -1, 5] [0, 0, 0, 7, 8, 9] } output { 24 }
-- input { [3, 0, 4, -1, 6] [0, 0, 0, 7, 8, 9] } error: out of bounds
-- entry: kept_too
-- input { [3, -1, 4, -1, 5] } output { [3, 4, 5] 12 [6, 8, 10] }
-- entry: by_length
-- input { [3, -1, 4, -1, 5] } output { 36i64 }
-- entry: many
-- input { 100000i64 } output { 33334i64 99999i64 1666683333i64 }
-- entry: rows
-- input { [[1, 2], [-3, 1], [4, 4]] } output { [[1, 2], [4, 4]] 11 }
-- entry: counted
-- input { [3, -1, 4, 3, -1, 5] } output { [0, 0, 0, 2, 1, 1] }
-- entry: parted
-- input { [3, -1, 4, -2, 5] } output { 12 -3 }

entry mapped (xs: []i32): []i32 = map (\x -> x * x) (filter (> 0) xs)

entry summed (xs: []i32): i32 = i32.sum (map (\x -> x * x) (filter (> 0) xs))

entry least (xs: []i32): i32 = i32.minimum (filter (> 0) xs)

entry scanned (xs: []i32): ([]i32, []i32, i32) =
  let ys = filter (> 0) xs
  in (scan (+) 0 ys, scan (*) 1 ys, i32.sum ys)

entry twice (xs: []i32): []i32 = filter (< 10) (filter (> 0) xs)

-- The sum of the multiples of 3 below n, computed from their doubles.
entry thrice_summed (n: i64): i64 =
  iota n
  |> filter (\i -> i % 3 == 0)
  |> map (* 2)
  |> filter (\i -> i % 2 == 0)
  |> map (/ 2)
  |> filter (\i -> i >= 0)
  |> i64.sum

entry pairs [n] (xs: [n]i32): ([]i32, []i64, i64) =
  let (ys, is) = unzip (filter (\(x, _) -> x > 0) (zip xs (iota n)))
  in (ys, is, i64.sum (map2 (\y i -> i64.i32 y * (i + 1)) ys is))

entry mean (xs: []f64): f64 =
  let ys = filter (> 0) xs
  in f64.sum ys / f64.i64 (length ys)

-- A division that would fail for an element that is not kept.
entry behind_the_mark (xs: []i32): i32 = i32.sum (map (\x -> 60 / x) (filter (> 0) xs))

-- The index is out of bounds for some elements that are not kept. It may also be out of bounds for kept elements.
entry failing (xs: []i32) (table: []i32): i32 =
  i32.sum (map (\x -> table[x]) (filter (> 0) xs))

entry kept_too (xs: []i32): ([]i32, i32, []i32) =
  let ys = filter (> 0) xs
  in (ys, i32.sum ys, map (* 2) ys)

-- The operation on each element depends on the number of kept elements.
entry by_length (xs: []i32): i64 =
  let ys = filter (> 0) xs
  in i64.sum (map (\y -> i64.i32 y * length ys) ys)

entry many (n: i64): (i64, i64, i64) =
  let is = filter (\i -> i % 3 == 0) (iota n)
  in (length is, i64.maximum is, i64.sum is)

entry rows [m] (xss: [][m]i32): ([][m]i32, i32) =
  let yss = filter (\xs -> xs[0] > 0) xss
  in (yss, i32.sum (map i32.sum yss))

entry counted (xs: []i32): [6]i32 =
  let ys = filter (> 0) xs
  in hist (+) 0 6 (map i64.i32 ys) (map (const 1) ys)

entry parted (xs: []i32): (i32, i32) =
  let (ys, zs) = partition (> 0) xs
  in (i32.sum ys, i32.sum zs)
