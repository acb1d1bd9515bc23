-- Inclusive scans, of scalars and of tuples, at lengths around the widths of workgroups.
-- ==
-- entry: sums
-- input { [1, 2, 3, 4] }
-- output { [1, 3, 6, 10] }
-- input { empty([0]i32) }
-- output { empty([0]i32) }
-- entry: affine
-- input { [2i32, 3i32, 1i32] [1i32, 0i32, 5i32] }
-- output { [2i32, 6i32, 6i32] [1i32, 3i32, 8i32] }
-- entry: checked
-- input { 1i64 }
-- output { true }
-- input { 255i64 }
-- output { true }
-- input { 257i64 }
-- output { true }
-- input { 100000i64 }
-- output { true }
-- entry: kept
-- input { [1, 2, 3, 4] }
-- output { [1, 3, 6, 10] [2, 4, 7, 11] 20 }
-- input { empty([0]i32) }
-- output { empty([0]i32) empty([0]i32) 0 }
-- structure { screma 1 scan 1 map 2 reduce 1 }
-- entry: kept_checked
-- input { 1i64 }
-- output { true }
-- input { 257i64 }
-- output { true }
-- input { 100000i64 }
-- output { true }

entry sums [n] (xs: [n]i32): [n]i32 = scan (+) 0 xs

entry affine [n] (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32) =
  unzip (scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip xs ys))

entry checked (n: i64): bool =
  let sums = scan (+) 0 (iota n)
  in reduce (&&) true (map (\i -> sums[i] == i * (i + 1) / 2) (iota n))

-- The scanned array is a result, and other operations read it.
entry kept [n] (xs: [n]i32): ([n]i32, [n]i32, i32) =
  let ys = scan (+) 0 xs
  in (ys, map (+ 1) ys, i32.sum ys)

entry kept_checked (n: i64): bool =
  let sums = scan (+) 0 (iota n)
  let most = scan i64.max 0 (map (\i -> i * 7 % 1000) (iota n))
  let both = map2 (+) sums most
  let halves = map (/ 2) most
  in all id (map (\i -> both[i] - most[i] == i * (i + 1) / 2 && halves[i] == most[i] / 2) (iota n))
     && all id (map2 (\sum i -> sum == i * (i + 1) / 2) sums (iota n))
