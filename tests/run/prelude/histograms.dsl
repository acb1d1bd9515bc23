-- Values combined into positions of two and three dimensions; positions outside are ignored.
-- ==
-- entry: flat
-- input { [[1, 2], [3, 4]] [0i64, 1i64, 1i64, 2i64, -1i64, 0i64, 0i64] [0i64, 1i64, 1i64, 0i64, 0i64, -1i64, 2i64] [10, 20, 30, 40, 50, 60, 70] }
-- output { [[11, 2], [3, 54]] }
-- entry: cube
-- input { [0i64, 1i64, 1i64, 0i64, 0i64, 0i64, 2i64] [0i64, 1i64, 1i64, 2i64, 0i64, -1i64, 0i64] [0i64, 1i64, 1i64, 0i64, 2i64, 1i64, 0i64] }
-- output { [[[1, 0], [0, 0]], [[0, 0], [0, 2]]] }
-- entry: of_pairs
-- input { [0i64, 0i64] [1i64, 1i64] } output { [[0, 3]] [[1.0, 2.25]] }
-- entry: at
-- input { 1i64 2i64 0i64 } output { [[0, 0, 0, 0], [0, 0, 7, 0]] [[0, 0, 0, 0], [0, 0, 7, 0]] }
-- input { 2i64 0i64 0i64 } output { [[0, 0, 0, 0], [0, 0, 0, 0]] [[0, 0, 0, 0], [0, 0, 0, 0]] }
-- input { 4611686018427387904i64 1i64 0i64 } output { [[0, 0, 0, 0], [0, 0, 0, 0]] [[0, 0, 0, 0], [0, 0, 0, 0]] }
-- input { -4611686018427387904i64 1i64 0i64 } output { [[0, 0, 0, 0], [0, 0, 0, 0]] [[0, 0, 0, 0], [0, 0, 0, 0]] }
-- input { 2305843009213693952i64 0i64 0i64 } output { [[0, 0, 0, 0], [0, 0, 0, 0]] [[0, 0, 0, 0], [0, 0, 0, 0]] }
-- input { 0i64 1i64 4611686018427387904i64 } output { [[0, 7, 0, 0], [0, 0, 0, 0]] [[0, 0, 0, 0], [0, 0, 0, 0]] }
-- entry: many
-- input { 100000i64 } output { [[25000, 25000], [25000, 25000]] }

entry flat [n] [m] [k] (dest: *[n][m]i32) (is: [k]i64) (js: [k]i64) (vs: [k]i32): [n][m]i32 =
  reduce_by_index_2d dest (+) 0 (zip is js) vs

entry cube [k] (is: [k]i64) (js: [k]i64) (hs: [k]i64): [2][2][2]i32 =
  reduce_by_index_3d (replicate 2 (replicate 2 (replicate 2 0))) (+) 0 (zip3 is js hs) (replicate k 1)

entry of_pairs [k] (is: [k]i64) (js: [k]i64): ([1][2]i32, [1][2]f64) =
  let combine (a: i32, b: f64) (c, d) = (a + c, b * d)
  let made = reduce_by_index_2d (replicate 1 (replicate 2 (0, 1))) combine (0, 1) (zip is js) (map (\i -> (i32.i64 i + 1, 1.5)) (iota k))
  in (map (map (.0)) made, map (map (.1)) made)

-- Positions so far outside that their addresses overflow.
entry at (i: i64) (j: i64) (h: i64): ([2][4]i32, [2][4]i32) =
  let cube = reduce_by_index_3d (replicate 2 (replicate 4 (replicate 2 0))) (+) 0 [(i, j, h)] [7]
  in (reduce_by_index_2d (replicate 2 (replicate 4 0)) (+) 0 [(i, j)] [7], map (map i32.sum) cube)

entry many (n: i64): [2][2]i32 =
  reduce_by_index_2d (replicate 2 (replicate 2 0)) (+) 0 (map (\i -> (i % 2, i / 2 % 2)) (iota n)) (replicate n 1)
