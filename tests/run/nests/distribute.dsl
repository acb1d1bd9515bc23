-- With `#[flattening(full)]`, the inner constructs of a map become segments of their own (the rule `distribute`).

-- A reduction of each row: one segment of two dimensions.

-- ==
-- entry: sums
-- structure flat { segment 1 dimension 2 screma 0 }
-- input { [[1i32, 2, 3], [4, 5, 6]] }
-- output { [6i32, 15] }
-- input { empty([0][3]i32) }
-- output { empty([0]i32) }
-- input { empty([2][0]i32) }
-- output { [0i32, 0] }
entry sums [n] [m] (xss: [n][m]i32): [n]i32 = #[flattening(full)] map i32.sum xss

-- A scan of each row, of which the last element is used.

-- ==
-- entry: prefixes
-- input { [[1i32, 2, 3], [4, 5, 6]] }
-- output { [[1i32, 3, 6], [4, 9, 15]] [6i32, 15] }
-- input { empty([0][3]i32) }
-- output { empty([0][3]i32) empty([0]i32) }
entry prefixes [n] [m] (xss: [n][m]i32): ([n][m]i32, [n]i32) =
  unzip (#[flattening(full)] map (\xs -> let ys = scan (+) 0 xs in (ys, if m == 0 then 0 else ys[m - 1])) xss)

-- A value of the point between two constructs is stored.

-- ==
-- entry: normalised
-- input { [[1f64, 3], [2, 2], [0, 4]] }
-- output { [[0.25f64, 0.75], [0.5, 0.5], [0.0, 1.0]] }
-- input { empty([2][0]f64) }
-- output { empty([2][0]f64) }
entry normalised [n] [m] (xss: [n][m]f64): [n][m]f64 =
  #[flattening(full)] map (\xs -> let s = 1 / f64.sum xs in map (* s) xs) xss

-- Three levels: each element of the product is a reduction.

-- ==
-- entry: product
-- structure flat { segment 1 dimension 3 screma 0 }
-- input { [[1i32, 2], [3, 4], [5, 6]] [[7i32, 8, 9], [10, 11, 12]] }
-- output { [[27i32, 30, 33], [61, 68, 75], [95, 106, 117]] }
-- input { empty([3][0]i32) empty([0][2]i32) }
-- output { [[0i32, 0], [0, 0], [0, 0]] }
entry product [n] [m] [k] (xss: [n][m]i32) (yss: [m][k]i32): [n][k]i32 =
  #[flattening(full)] map (\xs -> map (\ys -> i32.sum (map2 (*) xs ys)) (transpose yss)) xss

-- A reduction of reductions of each point, and a reduction of all points.

-- ==
-- entry: greatest
-- input { [[[1i32, 2], [3, 4]], [[-5, 6], [7, 8]]] }
-- output { 16i32 [10i32, 16] }
-- input { empty([0][2][2]i32) }
-- output { -2147483648i32 empty([0]i32) }
entry greatest [n] [m] [k] (xsss: [n][m][k]i32): (i32, [n]i32) =
  let totals = #[flattening(full)] map (\xss -> i32.sum (map i32.sum xss)) xsss
  in (i32.maximum totals, totals)

-- Four levels.

-- ==
-- entry: four
-- input { [[[[1i32, 2], [3, 4]], [[5, 6], [7, 8]]]] }
-- output { [[[7i32, 3], [15, 11]]] }
entry four [a] [b] [c] [d] (xs: [a][b][c][d]i32): [a][b][c]i32 =
  #[flattening(full)] map (map (\xss -> let sums = map i32.sum xss in reverse sums)) xs

-- The inner width is computed, and is the same for all points.

-- ==
-- entry: tables
-- input { [2i64, 3] 4i64 }
-- output { [[0i64, 3, 6, 9, 12, 15, 18, 21], [0, 4, 8, 12, 16, 20, 24, 28]] [84i64, 112] }
-- input { [5i64] 0i64 }
-- output { empty([1][0]i64) [0i64] }
entry tables [n] (xs: [n]i64) (k: i64): ([n][]i64, [n]i64) =
  let m = 2 * k
  in unzip (#[flattening(full)] map (\x -> let ys = tabulate m (\i -> i * (x + 1)) in (ys, i64.sum ys)) xs)

-- An inner construct whose width differs stays a loop of its thread, beside one that does not.

-- ==
-- entry: triangles
-- input { [[1i64, 2, 3], [4, 5, 6]] }
-- output { [6i64, 16] }
entry triangles [n] [m] (xss: [n][m]i64): [n]i64 =
  #[flattening(full)] map2 (\i xs -> i64.sum xs + i64.sum (tabulate i (\j -> j + 1))) (iota n) xss

-- An array that is updated in place belongs to one group.

-- ==
-- entry: updated
-- input { [[3i32, 1, 2], [9, 8, 7]] }
-- output { [[6i32, 3, 2], [24, 15, 7]] }
entry updated [n] [m] (xss: [n][m]i32): [n][m]i32 =
  #[flattening(full)] map (\xs ->
    let ys = loop ys = copy xs for i < m - 1 do
      let j = m - 2 - i in ys with [j] = ys[j] + ys[j + 1]
    let least = i32.minimum xs
    in map (\y -> y + least - least) ys) xss

-- Results that no inner construct computes, and one of them twice.

-- ==
-- entry: several
-- input { [[1i32, 2], [3, 4]] [10i32, 20] }
-- output { [10i32, 20] [3i32, 7] [3i32, 7] [5i32, 5] [[2i32, 4], [6, 8]] }
entry several [n] [m] (xss: [n][m]i32) (ks: [n]i32): ([n]i32, [n]i32, [n]i32, [n]i32, [n][m]i32) =
  unzip5 (#[flattening(full)] map2 (\xs k -> let s = i32.sum xs in (k, s, s, 5, map (* 2) xs)) xss ks)

-- The operator does not commute.

-- ==
-- entry: composed
-- input { [[1i32, 2, 3, 4], [5, 6, 7, 8]] }
-- output { [4i32, 8] [1i32, 5] }
entry composed [n] [m] (xss: [n][m]i32): ([n]i32, [n]i32) =
  let last = \(a, x) (b, y) -> if b then (b, y) else (a || b, x)
  let first = \(a, x) (b, y) -> if a then (a, x) else (a || b, y)
  in unzip (#[flattening(full)] map (\xs ->
       let pairs = map (\x -> (true, x)) xs
       in ((reduce last (false, 0) pairs).1, (reduce first (false, 0) pairs).1)) xss)

-- A construct after the map: it reduces what the points compute.

-- ==
-- entry: total
-- input { [[1i32, 2], [3, 4]] }
-- output { 21i32 }
entry total [n] [m] (xss: [n][m]i32): i32 =
  #[flattening(full)] i32.product (map i32.sum xss)

-- An inner construct with the attribute `sequential` stays a loop.

-- ==
-- entry: partly
-- input { [[1i32, 2], [3, 4]] }
-- output { [[2i32, 3], [8, 9]] [3i32, 7] }
entry partly [n] [m] (xss: [n][m]i32): ([n][m]i32, [n]i32) =
  unzip (#[flattening(full)] map (\xs ->
    let s = #[sequential] i32.sum xs
    in (map (+ (s - 2)) xs, s)) xss)

-- Checks of the point and of the elements.

-- ==
-- entry: gathered
-- input { [[1i32, 2], [3, 4]] [[0i64, 0], [1, 0]] [1i64, 0] }
-- output { [[1i32, 1], [4, 3]] [4i32, 10] }
-- input { [[1i32, 2], [3, 4]] [[0i64, 0], [1, 2]] [1i64, 0] }
-- error: Index \[2\] out of bounds for array of shape \[2\]
-- input { [[1i32, 2], [3, 4]] [[0i64, 0], [1, 1]] [1i64, 5] }
-- error: Index \[5\] out of bounds for array of shape \[2\]
entry gathered [n] [m] (xss: [n][m]i32) (iss: [n][m]i64) (ks: [n]i64): ([n][m]i32, [n]i32) =
  unzip (#[flattening(full)] map3 (\xs is k ->
    let x = xs[k]
    let ys = map (\i -> xs[i]) is
    in (ys, i32.sum ys + x)) xss iss ks)

-- Checks stay, though other segments use the values as they were before the check.

-- ==
-- entry: checked_point
-- input { [[1i32, 2, 3], [1, 1, 1]] }
-- output { [6i32, 3] }
-- input { [[1i32, 2, 3], [4, 5, 6]] }
-- error: Assertion is false
entry checked_point [n] [m] (xss: [n][m]i32): [n]i32 =
  #[flattening(full)] map (\xs -> let s = i32.sum xs in assert (s < 9) s) xss

-- ==
-- entry: checked_elements
-- input { [[1i32, 2, 3], [1, 1, 1]] }
-- output { [3i32, 1] }
-- input { [[1i32, 2, 3], [1, 9, 1]] }
-- error: Assertion is false
entry checked_elements [n] [m] (xss: [n][m]i32): [n]i32 =
  #[flattening(full)] map (\xs -> i32.maximum (map (\x -> assert (x < 9) x) xs)) xss

-- ==
-- entry: checked_in_branches
-- input { [[1i32, 2, 3], [1, 4, 1]] true }
-- output { [6i32, 6] }
-- input { [[1i32, 2, 3], [1, 9, 1]] true }
-- error: Assertion is false
-- input { [[1i32, 2, 3], [1, 9, 1]] false }
-- output { [0i32, 0] }
entry checked_in_branches [n] [m] (xss: [n][m]i32) (b: bool): [n]i32 =
  #[flattening(full)] map (\xs ->
    if b then i32.sum (map (\x -> if x > 3 then assert (x < 9) x else x) xs) else 0) xss

-- ==
-- entry: checked_scans
-- input { [[1i32, 2, 3], [1, 4, 1]] }
-- output { [[1i32, 3, 6], [1, 5, 6]] }
-- input { [[1i32, 2, 3], [1, 9, 1]] }
-- error: Assertion is false
entry checked_scans [n] [m] (xss: [n][m]i32): [n][m]i32 =
  #[flattening(full)] map (\xs -> scan (+) 0 (map (\x -> assert (x < 9) x) xs)) xss

-- ==
-- entry: checked_sizes
-- input { [[1i32, 2, 3], [1, 4, 1]] 4i64 }
-- output { [6i64, 6] }
-- input { [[1i32, 2, 3], [9, 4, 1]] 4i64 }
-- error: Assertion is false
entry checked_sizes [n] [m] (xss: [n][m]i32) (k: i64): [n]i64 =
  #[flattening(full)] map (\xs -> let k' = assert (xs[0] < 9) k in i64.sum (iota k')) xss

-- The sum of a known number and one is computed before the segments, but the check stays.

-- ==
-- entry: checked_known
-- input { [[1i32, 2, 3], [1, 4, 1]] 4i32 }
-- output { [11i32, 11] }
-- input { [[1i32, 2, 3], [9, 4, 1]] 4i32 }
-- error: Assertion is false
entry checked_known [n] [m] (xss: [n][m]i32) (k: i32): [n]i32 =
  #[flattening(full)] map (\xs -> let s = i32.sum xs let k' = assert (s < 9) k in s + (k' + 1)) xss

-- A scan of sums, and code after it that uses a value of the point.

-- ==
-- entry: scans_of_sums
-- input { [2i64, 5] [[1i64, 2], [3, 4]] }
-- output { [[5i64, 12], [8i64, 15]] }
-- input { [2i64] [[1i64]] }
-- output { [[3i64]] }
entry scans_of_sums [n] [m] (ks: [n]i64) (xss: [m][m]i64): [n][m]i64 =
  #[flattening(full)] map (\k -> map (+ k) (scan (+) 0 (map (\xs -> i64.sum (map (\x -> x * i64.min k 2 - x) xs)) xss))) ks
