-- Products of matrices in tiles and panels (the rule `tile`), for sizes at which tiles or panels are full, or not. On a GPU,
-- workgroups share tiles (the rule `tile-in-workgroups`) if there are at least 32 of them.
-- Each is compared with the same sums in a segment of one dimension, which is never tiled.

entry matrix (n: i64) (m: i64) (seed: i64): [n][m]i32 =
  tabulate_2d n m (\i j -> i32.i64 ((i * 7919 + j * 104729 + seed) % 1000 - 500))

def f (x: i32) (y: i32): i32 = x * y + (x ^ y)

-- ==
-- entry: product
-- structure cpu { segmap 5 }
-- input { [[1f64, 2], [3, 4]] [[5f64, 6], [7, 8]] } output { [[19f64, 22], [43, 50]] }
-- input { empty([0][3]f64) [[1f64], [2], [3]] } output { empty([0][1]f64) }
-- input { empty([2][0]f64) empty([0][3]f64) } output { [[0f64, 0, 0], [0, 0, 0]] }
entry product [n] [m] [k] (a: [n][m]f64) (b: [m][k]f64): [n][k]f64 =
  map (\row -> map (\column -> f64.sum (map2 (*) row column)) (transpose b)) a

-- ==
-- entry: in_tiles
-- structure cpu { segmap 5 }
entry in_tiles [n] [m] [k] (a: [n][m]i32) (b: [m][k]i32): ([n][k]i32, [n][m]i32, [m][k]i32) =
  (map (\row -> map (\column -> i32.sum (map2 f row column)) (transpose b)) a, a, b)

-- ==
-- entry: same
-- script input { in_tiles (matrix 16i64 8i64 1i64) (matrix 8i64 32i64 2i64) } output { true }
-- script input { in_tiles (matrix 15i64 8i64 1i64) (matrix 8i64 32i64 2i64) } output { true }
-- script input { in_tiles (matrix 16i64 8i64 1i64) (matrix 8i64 31i64 2i64) } output { true }
-- script input { in_tiles (matrix 17i64 9i64 1i64) (matrix 9i64 33i64 2i64) } output { true }
-- script input { in_tiles (matrix 18i64 1i64 1i64) (matrix 1i64 95i64 2i64) } output { true }
-- script input { in_tiles (matrix 19i64 70i64 1i64) (matrix 70i64 64i64 2i64) } output { true }
-- script input { in_tiles (matrix 33i64 40i64 1i64) (matrix 40i64 65i64 2i64) } output { true }
-- script input { in_tiles (matrix 20i64 0i64 1i64) (matrix 0i64 40i64 2i64) } output { true }
-- script input { in_tiles (matrix 0i64 5i64 1i64) (matrix 5i64 40i64 2i64) } output { true }
-- script input { in_tiles (matrix 20i64 5i64 1i64) (matrix 5i64 0i64 2i64) } output { true }
-- script input { in_tiles (matrix 16i64 1000i64 1i64) (matrix 1000i64 33i64 2i64) } output { true }
-- script input { in_tiles (matrix 161i64 17i64 1i64) (matrix 17i64 193i64 2i64) } output { true }
entry same [n] [m] [k] (sums: [n][k]i32) (a: [n][m]i32) (b: [m][k]i32): bool =
  let one_by_one = tabulate (n * k) (\at -> i32.sum (map2 f a[at / k] b[:, at % k]))
  in and (map2 (==) (flatten sums) one_by_one)

def complex [m] (xs: [m]i32) (ys: [m]i32): (i32, i32) =
  let add (a, b) (c, d) = (a + c, b + d): (i32, i32)
  let mul (a, b) (c, d) = (a * c - b * d, a * d + b * c): (i32, i32)
  in reduce_comm add (0, 0) (map2 (\x y -> mul (x, 3 * x) (y, 1 - y)) xs ys)

-- Two sums. The elements of `b` lie next to each other in memory iteration after iteration.
-- ==
-- entry: complex_in_tiles
-- structure cpu { segmap 5 }
entry complex_in_tiles [n] [m] [k] (a: [n][m]i32) (b: [k][m]i32): ([n][k](i32, i32), [n][m]i32, [k][m]i32) =
  (map (\row -> map (complex row) b) a, a, b)

-- ==
-- entry: same_complex
-- script input { complex_in_tiles (matrix 17i64 6i64 1i64) (matrix 33i64 6i64 2i64) } output { true }
-- script input { complex_in_tiles (matrix 40i64 33i64 1i64) (matrix 70i64 33i64 2i64) } output { true }
-- script input { complex_in_tiles (matrix 3i64 6i64 1i64) (matrix 4i64 6i64 2i64) } output { true }
entry same_complex [n] [m] [k] (sums: [n][k](i32, i32)) (a: [n][m]i32) (b: [k][m]i32): bool =
  let one_by_one = tabulate (n * k) (\at -> complex a[at / k] b[at % k])
  in and (map2 (==) (flatten sums) one_by_one)

-- The sum starts with a number of the column.
-- ==
-- entry: weighted
-- structure cpu { segmap 5 }
-- input { [[1i32, 2], [3, 4]] [10i32, 20] [[1i32, 2], [3, 4]] } output { [[17i32, 30], [25, 42]] }
entry weighted [n] [m] [k] (a: [n][m]i32) (first: [k]i32) (b: [m][k]i32): [n][k]i32 =
  map (\row -> map2 (\start column -> start + i32.sum (map2 (*) row column)) first (transpose b)) a

entry matrices (g: i64) (n: i64) (m: i64) (seed: i64): [g][n][m]i32 =
  tabulate_3d g n m (\h i j -> i32.i64 ((h * 31 + i * 7919 + j * 104729 + seed) % 1000 - 500))

entry batch [g] [n] [m] [k] (a: [g][n][m]i32) (b: [g][m][k]i32): ([g][n][k]i32, [g][n][m]i32, [g][m][k]i32) =
  (map2 (\x y -> map (\row -> map (\column -> #[sequential] i32.sum (map2 f row column)) (transpose y)) x) a b, a, b)

-- Tiles with one row or column more than is full, with one less, and without points.
-- ==
-- entry: same_batch
-- script input { batch (matrices 8i64 33i64 16i64 1i64) (matrices 8i64 16i64 65i64 2i64) } output { true }
-- script input { batch (matrices 32i64 32i64 16i64 1i64) (matrices 32i64 16i64 32i64 2i64) } output { true }
-- script input { batch (matrices 8i64 63i64 31i64 1i64) (matrices 8i64 31i64 34i64 2i64) } output { true }
-- script input { batch (matrices 40i64 31i64 16i64 1i64) (matrices 40i64 16i64 1i64 2i64) } output { true }
-- script input { batch (matrices 40i64 33i64 0i64 1i64) (matrices 40i64 0i64 33i64 2i64) } output { true }
-- script input { batch (matrices 0i64 33i64 16i64 1i64) (matrices 0i64 16i64 33i64 2i64) } output { true }
-- script input { batch (matrices 8i64 0i64 16i64 1i64) (matrices 8i64 16i64 33i64 2i64) } output { true }
entry same_batch [g] [n] [m] [k] (sums: [g][n][k]i32) (a: [g][n][m]i32) (b: [g][m][k]i32): bool =
  let sum (at: i64) =
    let (h, i, j) = (at / (n * k), at / k % n, at % k)
    in i32.sum (map2 f a[h, i] b[h, :, j])
  in and (map2 (==) (flatten_3d sums) (tabulate (g * n * k) sum))
