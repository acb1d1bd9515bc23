-- Irregular nests of other kinds.

-- Products of a sparse matrix and a vector: rows of different lengths.

-- ==
-- entry: sparse
-- input { [0i64, 2, 2, 5] [2i64, 0, 3, 1] [0i64, 2, 1, 0, 2, 1] [1f64, 2, 3, 4, 5, 6] [1f64, 10, 100] }
-- output { [201f64, 0, 534, 60] }
entry sparse [n] [m] [k] (starts: [n]i64) (lengths: [n]i64) (columns: [m]i64) (values: [m]f64) (xs: [k]f64): [n]f64 =
  #[flattening(bins)] map2 (\start length ->
    f64.sum (map (\j -> values[start + j] * xs[columns[start + j]]) (iota length))) starts lengths

-- The vertices of a graph, each with the least distance that its neighbours know.

-- ==
-- entry: relaxed
-- input { [0i64, 1, 3, 6, 7] [1i64, 2, 3, 1, 0] [1i32, 0, 2, 0, 1, 3, 2] [0i32, 99, 99, 99, 99] }
-- output { [0i32, 1i32, 1i32, 99i32, 99i32] }
entry relaxed [n] [m] (starts: [n]i64) (degrees: [n]i64) (edges: [m]i32) (distances: [n]i32): [n]i32 =
  #[flattening(bins)] map3 (\start degree own ->
    let near = map (\j -> distances[i64.i32 edges[start + j]]) (iota degree)
    in i32.min own (if degree == 0 then own else 1 + i32.minimum near)) starts degrees distances

-- The edit distance of words and a pattern, by rows: a scan for each letter of the pattern.

-- ==
-- entry: distances
-- input { [0i64, 3, 3, 9] [3i64, 0, 6, 2] "catkitteng o" "kitten" }
-- output { [5i64, 6i64, 0i64, 6i64] }
entry distances [n] [m] [k] (starts: [n]i64) (lengths: [n]i64) (text: [m]u8) (pattern: [k]u8): [n]i64 =
  #[flattening(bins)] map2 (\start length ->
    let w = length + 1
    let row =
      loop row = iota w for i < k do
        let direct = map (\j ->
          if j == 0 then i + 1
          else i64.min (row[j] + 1) (row[j - 1] + i64.bool (text[start + j - 1] != pattern[i]))) (iota w)
        let falling = scan i64.min i64.highest (map2 (-) direct (iota w))
        in map2 (+) falling (iota w)
    in row[length]) starts lengths

-- Tridiagonal systems of different sizes, each solved by cyclic relaxation until it moves little.

-- ==
-- entry: relaxations
-- input { [1i64, 4, 0, 9] [1f64, 2, 3, 4] }
-- output { [0.25f64, 2.578947368278784f64, 0.0f64, 12.563535911841946f64] }
entry relaxations [n] (sizes: [n]i64) (rights: [n]f64): [n]f64 =
  #[flattening(bins)] map2 (\w right ->
    let (xs, _) =
      loop (xs, change) = (replicate w 0f64, 1f64) while change > 1e-9 do
        let next = map (\i ->
          let below = if i > 0 then xs[i - 1] else 0
          let above = if i + 1 < w then xs[i + 1] else 0
          in (right + f64.i64 i - below - above) / 4) (iota w)
        in (next, f64.sum (map2 (\x y -> f64.abs (x - y)) xs next))
    in f64.sum xs) sizes rights
