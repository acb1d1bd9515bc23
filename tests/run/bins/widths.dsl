-- Points with arrays of their own width: of no element, of one, of more than a bin has, and more points than a bin has.

-- ==
-- entry: sums
-- input { [3i64, 0, 5, 200, 100, 56, 1] [1i32, 2, 3, 4, 5, 6, 7] }
-- output { [3i32, 0i32, 30i32, 79600i32, 24750i32, 9240i32, 0i32] }
-- input { [512i64, 511, 1, 512] [1i32, 2, 3, 4] }
-- output { [130816i32, 260610i32, 0i32, 523264i32] }
-- input { [513i64, 2] [1i32, 2] }
-- output { [131328i32, 2i32] }
-- input { [0i64, 0] [1i32, 2] }
-- output { [0i32, 0i32] }
-- input { empty([0]i64) empty([0]i32) }
-- output { empty([0]i32) }
-- input { [1i64, -1] [1i32, 2] }
-- error: Range 0\.\.1\.\.<-1 is invalid
entry sums [n] (ws: [n]i64) (xs: [n]i32): [n]i32 =
  #[flattening(bins)] map2 (\w x -> i32.sum (map (\i -> x * i32.i64 i) (iota w))) ws xs

-- ==
-- entry: many
-- input { 1i64 }
-- output { 817i64 }
-- input { 64i64 }
-- output { 842301i64 }
-- input { 65i64 }
-- output { 887476i64 }
-- input { 1000i64 }
-- output { 222922893i64 }
entry many (n: i64): i64 =
  let sums = #[flattening(bins)] map (\p ->
    let w = p * 7 % 41
    let xs = map (\k -> k * k % (p + 3)) (iota w)
    in i64.sum (map (\k -> xs[w - 1 - k] * (k + 1)) (iota w)) + i64.maximum xs) (iota n)
  in i64.sum (map2 (\s i -> s % 1009 * (i + 1)) sums (iota n))

-- Reductions and scans of several values, with neutral elements that differ between points.

-- ==
-- entry: extremes
-- input { [4i64, 0, 7] [10i64, 20, -3] }
-- output { [-8i64, 9223372036854775807i64, 4i64] [-5i64, -9223372036854775808i64, 13i64] [-100i64, 0i64, 1246i64] }
entry extremes [n] (ws: [n]i64) (xs: [n]i64): [n](i64, i64, i64) =
  #[flattening(bins)] map2 (\w x ->
    let ys = map (\k -> (k * x + 5) % 11 - x) (iota w)
    let (low, high) = reduce (\(a, b) (c, d) -> (i64.min a c, i64.max b d)) (i64.highest, i64.lowest) (zip ys ys)
    let tops = scan i64.max i64.lowest ys
    let (sums, places) = unzip (scan (\(a, i) (b, j) -> (a + b, i64.max i j)) (0, -1) (zip tops (iota w)))
    in (low, high, i64.sum (map2 (*) sums places))) ws xs

-- Elements of the inputs of a point, and of arrays that all points share.

-- ==
-- entry: shared
-- input { [[1i64, 2, 3], [4, 5, 6]] [2i64, 0, 1, 2, 1] }
-- output { [2i64, 0i64] }
entry shared [n] [m] [k] (rows: [n][m]i64) (table: [k]i64): [n]i64 =
  #[flattening(bins)] map (\row ->
    let w = row[0] % 4
    in i64.sum (map (\j -> row[j % m] * table[j % k]) (iota w))) rows
