-- On a GPU, the sizes of a nest choose between two versions (the rule `choose`): one in which inner constructs are loops, and one in
-- which all levels run in parallel. The file `choose.dsl.tuning` sets the limits to 4 points and 3 inner points, so that
-- small data are below, at and above them.

-- ==
-- entry: sums
-- input { [[1i32, 2, 3], [4, 5, 6]] }
-- output { [7i32, 16] }
-- input { [[1i32, 2], [4, 5]] }
-- output { [4i32, 10] }
-- input { [[1i32, 0, 0], [2, 0, 0], [3, 0, 0], [4, 0, 0]] }
-- output { [2i32, 3, 4, 5] }
-- input { [[1i32, 0, 0], [2, 0, 0], [3, 0, 0], [4, 0, 0], [5, 0, 0]] }
-- output { [2i32, 3, 4, 5, 6] }
-- input { empty([0][3]i32) }
-- output { empty([0]i32) }
-- input { empty([2][0]i32) }
-- output { [1i32, 1] }
entry sums [n] [m] (xss: [n][m]i32): [n]i32 = map (\xs -> 1 + i32.sum xs) xss

-- The outer construct reduces. In the second version it is a segment of its own.

-- ==
-- entry: greatest
-- input { [[1i32, 2, 3], [4, 5, 6]] }
-- output { 15i32 }
-- input { [[1i32, 2], [4, 5]] }
-- output { 9i32 }
-- input { empty([2][0]i32) }
-- output { 0i32 }
-- input { empty([0][3]i32) }
-- output { -2147483648i32 }
entry greatest [n] [m] (xss: [n][m]i32): i32 = i32.maximum (map i32.sum xss)

-- The outer construct filters.

-- ==
-- entry: large
-- input { [[1i32, 2, 3], [4, 5, 6], [0, 1, 7]] }
-- output { [15i32, 8] }
-- input { [[4i32, 5], [1, 2]] }
-- output { [9i32] }
entry large [n] [m] (xss: [n][m]i32): []i32 = filter (> 7) (map i32.sum xss)

-- The outer construct writes.

-- ==
-- entry: placed
-- input { [[1i32, 2, 3], [4, 5, 6]] [2i64, 0] }
-- output { [15i32, 0, 6, 0] }
-- input { [[1i32, 2], [4, 5]] [3i64, 7] }
-- output { [0i32, 0, 0, 3] }
entry placed [n] [m] (xss: [n][m]i32) (is: [n]i64): [4]i32 =
  scatter (replicate 4 0) is (map i32.sum xss)

-- Perfectly nested maps count together: the points of the first version are those of the matrix.

-- ==
-- entry: product
-- input { [[1i32, 2, 3]] [[1i32, 2, 3], [4, 5, 6], [7, 8, 9]] }
-- output { [[30i32, 36, 42]] }
-- input { [[1i32, 2], [3, 4]] [[1i32, 2], [3, 4]] }
-- output { [[7i32, 10], [15, 22]] }
-- input { [[1i32, 2, 3], [4, 5, 6]] [[1i32, 2], [3, 4], [5, 6]] }
-- output { [[22i32, 28], [49, 64]] }
entry product [n] [m] [k] (xss: [n][m]i32) (yss: [m][k]i32): [n][k]i32 =
  map (\xs -> map (\ys -> i32.sum (map2 (*) xs ys)) (transpose yss)) xss

-- A loop of the host around a nest, and a loop of the points inside. The inner width is computed in the body.

-- ==
-- entry: rounds
-- input { [[1i64, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1]] 2i64 }
-- output { [[36i64, 72, 108, 4, 5, 6], [90, 180, 270, 3, 2, 1]] }
-- input { [[1i64, 2], [2, 1]] 3i64 }
-- output { [[1i64, 2], [2, 1]] }
entry rounds [n] [m] (xss: *[n][m]i64) (rounds: i64): [n][m]i64 =
  loop xss for r < rounds do
    map (\xs ->
      let k = m / 2
      let s = i64.sum xs[0:k]
      let ys = loop ys = xs[0:k] for j < 1 do map2 (\y i -> (y * i64.bool (r + j < 0) + s * (i + 1))) ys (iota k)
      in ys ++ xs[k:m] :> [m]i64) xss

-- A failure in either version.

-- ==
-- entry: checked
-- input { [[1i32, 2, 3], [4, 5, 6]] }
-- output { [3i32, 6] }
-- input { [[1i32, 2, 9], [4, 5, 6]] }
-- error: failed|false
-- input { [[9i32, 2], [4, 5]] }
-- error: failed|false
entry checked [n] [m] (xss: [n][m]i32): [n]i32 =
  map (\xs -> 0 + i32.maximum (map (\x -> assert (x < 9) x) xs)) xss

-- Attributes decide instead.

-- ==
-- entry: inner_loops
-- structure flat { if 0 }
-- input { [[1i32, 2, 3], [4, 5, 6]] }
-- output { [7i32, 16] }
entry inner_loops [n] [m] (xss: [n][m]i32): [n]i32 = #[sequential_inner] map (\xs -> 1 + i32.sum xs) xss

-- ==
-- entry: no_outer
-- structure flat { if 0 segment 2 dimension 3 screma 0 }
-- input { [[1i32, 2, 3], [4, 5, 6]] }
-- output { [49i32, 256] }
entry no_outer [n] [m] (xss: [n][m]i32): [n]i32 =
  #[incremental_flattening(no_outer)] map (\xs -> let s = 1 + i32.sum xs in s * s) xss
