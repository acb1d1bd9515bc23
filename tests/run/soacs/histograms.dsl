-- Values combined by index: many points and few bins, few points and many bins, indices out of bounds, rows,
-- pairs, other results of the same traversal, and an operator that fails.
-- ==
-- entry: few_bins
-- input { 1000000i64 } output { [50000i64, 50000i64, 50000i64, 50000i64, 50000i64, 50000i64, 50000i64, 50000i64] }
-- input { 19i64 } output { [1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64] }
-- input { 0i64 } output { [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64] }
-- entry: many_bins
-- input { 20000i64 30000i64 } output { 20000i64 20000i64 }
-- input { 3i64 200000i64 } output { 3i64 3i64 }
-- input { 5i64 0i64 } output { 0i64 0i64 }
-- entry: on_what_is_there
-- input { [100, 200, 300] [2i64, 0i64, 3i64, 2i64, -1i64] [1, 2, 3, 4, 5] } output { [102, 200, 305] }
-- entry: latest
-- input { 100000i64 } output { [99998i64, 99999i64, 0i64] [49999i64, 49999i64, -1i64] }
-- entry: rows
-- input { 40000i64 } output { [[20000, 20000, 20000], [20000, 20000, 20000]] }
-- entry: beside
-- input { 100000i64 } output { [33334i64, 33333i64, 33333i64] 4999950000i64 33333i64 }
-- entry: behind_a_scan
-- input { 60000i64 } output { [30000i64, 30000i64] }
-- entry: twice
-- input { 100000i64 } output { [50000i64, 50000i64] [99998i64, 99999i64] }
-- entry: failing
-- input { 100000i64 99999i64 } output { [4i64, 4i64] }
-- input { 100000i64 54321i64 } error: c < 5

entry few_bins (n: i64): [8]i64 =
  hist (+) 0 8 (map (\i -> i % 20 - 6) (iota n)) (replicate n 1)

-- The number of points, and the number of bins that are not empty. 7 divides none of the numbers of bins.
entry many_bins (n: i64) (k: i64): (i64, i64) =
  let counts = hist (+) 0 k (map (\i -> i * 7 % i64.max 1 k) (iota n)) (replicate n 1)
  in (i64.sum counts, i64.sum (map (\count -> i64.bool (count > 0)) counts))

entry on_what_is_there [k] [n] (to: *[k]i32) (is: [n]i64) (vs: [n]i32): *[k]i32 =
  reduce_by_index to (+) 0 is vs

-- The greatest value of each bin, paired with another number.
entry latest (n: i64): ([3]i64, [3]i64) =
  let larger (a: i64, p: i64) (b: i64, q: i64) = if a > b then (a, p) else (b, i64.max p q)
  in unzip (reduce_by_index (replicate 3 (0, -1)) larger (0, -1) (map (% 2) (iota n)) (map (\i -> (i, i / 2)) (iota n)))

entry rows (n: i64): [2][3]i32 =
  reduce_by_index (replicate 2 (replicate 3 0)) (map2 (+)) (replicate 3 0) (map (% 2) (iota n)) (replicate n (replicate 3 1))

entry beside (n: i64): ([3]i64, i64, i64) =
  let bins = map (% 3) (iota n)
  let ones = map (\bin -> if bin == 1 then 1 else 0) bins
  in (hist (+) 0 3 bins (replicate n 1), i64.sum (iota n), i64.sum ones)

entry behind_a_scan (n: i64): [2]i64 =
  hist (+) 0 2 (map (% 2) (scan (+) 0 (replicate n 1))) (replicate n 1)

entry twice (n: i64): ([2]i64, [2]i64) =
  let bins = map (% 2) (iota n)
  in (hist (+) 0 2 bins (replicate n 1), hist i64.max 0 2 bins (iota n))

entry failing (n: i64) (limit: i64): [2]i64 =
  let smaller_than_five c = assert (c < 5) c
  let op a b = smaller_than_five (i64.max a b)
  in hist op 0 2 (map (% 2) (iota n)) (map (\i -> if i > limit then 5 else i % 5) (iota n))

-- The sum of the numbers in each bin, and the sum of the products of any two of them. The operator reads an element of a row
-- at another position.
-- ==
-- entry: symmetric
-- input { 6i64 } output { [[6i64, 8i64], [9i64, 23i64]] }
entry symmetric (n: i64): [2][2]i64 =
  let combine (a: [2]i64) (b: [2]i64) =
    map2 (\x i -> x + b[i] + (if i == 0 then 0 else a[i - 1] * b[i - 1])) a (iota 2)
  in reduce_by_index (replicate 2 (replicate 2 0)) combine (replicate 2 0) (map (% 2) (iota n))
                     (map (\i -> [i, 0]) (iota n))

-- Products of complex numbers, rows of two elements in the rows of a histogram. The operator reads an element of an inner row
-- at another position.
-- ==
-- entry: products
-- input { 5i64 } output { [[[-22i64, -6i64], [-43i64, -36i64]], [[-7i64, 6i64], [-14i64, 8i64]]] }
entry products (n: i64): [2][2][2]i64 =
  let times (x: [2]i64) (y: [2]i64): [2]i64 =
    tabulate 2 (\k -> if k == 0 then x[0] * y[0] - x[1] * y[1] else x[0] * y[1] + x[1] * y[0])
  let ones = replicate 2 [1, 0]
  in reduce_by_index (replicate 2 ones) (map2 times) ones (map (% 2) (iota n))
                     (map (\i -> [[1, i + 1], [1, i + 2]]) (iota n))
