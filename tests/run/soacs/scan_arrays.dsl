-- Scans of arrays, in parts of the points: in order, beginning with the neutral element, and fused with other constructs.
-- ==
-- entry: sums
-- input { 0i64 3i64 }
-- output { empty([0][3]i64) }
-- input { 1i64 3i64 }
-- output { [[0i64, 1i64, 2i64]] }
-- input { 3i64 2i64 }
-- output { [[0i64, 1i64], [1i64, 3i64], [3i64, 6i64]] }
-- input { 2i64 0i64 }
-- output { empty([2][0]i64) }

-- ==
-- entry: products
-- input { 0i64 }
-- output { true }
-- input { 31i64 }
-- output { true }
-- input { 33i64 }
-- output { true }
-- input { 1000i64 }
-- output { true }

-- ==
-- entry: exchanged
-- input { 1i64 }
-- output { true }
-- input { 1000i64 }
-- output { true }

-- ==
-- entry: beside
-- input { 100i64 }
-- output { [99i64, 100i64] 4950i64 [4950i64, 5050i64] 166650i64 }

-- ==
-- entry: failing
-- input { 1000i64 1000i64 }
-- output { [499500i64, 1000i64] }
-- input { 1000i64 700i64 }
-- error: Index \[700\] out of bounds

entry sums (n: i64) (m: i64): [n][m]i64 =
  scan (map2 (+)) (replicate m 0) (map (\i -> map (\j -> i + j) (iota m)) (iota n))

def times (a: [2][2]u32) (b: [2][2]u32): [2][2]u32 =
  map (\row -> map (\column -> u32.sum (map2 (*) row column)) (transpose b)) a

def factor (i: i64): [2][2]u32 = [[u32.i64 (i % 7) + 1, 1], [1, u32.i64 (i % 3)]]

-- | Products of matrices, which do not commute: each is the previous one times a factor.
entry products (n: i64): bool =
  let products = scan times [[1, 0], [0, 1]] (map factor (iota n))
  let right (i: i64): bool =
    let before: [2][2]u32 = if i == 0 then [[1, 0], [0, 1]] else products[i - 1]
    in all (== true) (flatten (map2 (map2 (==)) products[i] (times before (factor i))))
  in all right (iota n)

-- | Every odd point swaps the two arrays: the operator returns each in the place of the other.
entry exchanged (n: i64): bool =
  let op (a: [1]i64, b: [1]i64, odd: bool) (c: [1]i64, d: [1]i64, next: bool) =
    let (a, b) = if next then (b, a) else (a, b)
    in ([a[0] + c[0]], [b[0] + d[0]], odd != next)
  let scanned = scan op ([0], [0], false) (map (\i -> ([i], [2 * i], i % 2 == 1)) (iota n))
  let (xs, ys, _) =
    loop (xs, ys, (x, y)) = (replicate n 0, replicate n 0, (0, 0)) for i < n do
      let (x, y) = if i % 2 == 1 then (y + i, x + 2 * i) else (x + i, y + 2 * i)
      in (xs with [i] = x, ys with [i] = y, (x, y))
  in and (map3 (\(a, b, _) x y -> a[0] == x && b[0] == y) scanned xs ys)

-- | Map and scan in one traversal, followed by a scalar, an array, and a sum that depends on the scan.
entry beside (n: i64): ([2]i64, i64, [2]i64, i64) =
  let rows = map (\i -> [i, i + 1]) (iota n)
  let scanned = scan (map2 (+)) [0, 0] rows
  in (rows[n - 1], i64.sum (iota n), scanned[n - 1], i64.sum (map (\row -> row[0]) scanned))

-- | Of several points that fail, the first one is reported.
entry failing (n: i64) (m: i64): [2]i64 =
  let table = iota m
  in (scan (map2 (+)) [0, 0] (map (\i -> [table[i], 1]) (iota n)))[n - 1]
