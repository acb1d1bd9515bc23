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

-- Breadth-first search over lists of neighbours: a nest in a loop, in which a round is a level.

-- ==
-- entry: levels
-- input { [0i64, 2, 4, 5, 8, 9, 9] [2i64, 2, 1, 3, 1, 0, 2] [1i64, 2, 0, 3, 0, 1, 4, 6, 3, 3, 3] 0i64 }
-- output { [0i64, 1i64, 1i64, 2i64, 3i64, -1i64, 3i64] }
-- input { [0i64, 2, 4, 5, 8, 9, 9] [2i64, 2, 1, 3, 1, 0, 2] [1i64, 2, 0, 3, 0, 1, 4, 6, 3, 3, 3] 5i64 }
-- output { [-1i64, -1i64, -1i64, -1i64, -1i64, 0i64, -1i64] }
entry levels [n] [m] (starts: [n]i64) (degrees: [n]i64) (edges: [m]i64) (source: i64): [n]i64 =
  let levels = map (\v -> if v == source then 0 else -1) (iota n)
  let (levels, _, _) =
    loop (levels, level, grows) = (levels, 0, true) while grows do
      let next =
        #[flattening(bins)] map3 (\start degree own ->
          let hit = or (map (\j -> levels[edges[start + j]] == level) (iota degree))
          in if own < 0 && hit then level + 1 else own) starts degrees levels
      in (next, level + 1, or (map2 (!=) next levels))
  in levels

-- Tridiagonal systems of different sizes, solved by three scans: of 2x2 matrices, and of linear functions forwards and backwards.
-- Each system has 4 on its diagonal and -1 beside it.

-- ==
-- entry: tridiagonal
-- input { [1i64, 4, 0, 3] [4f64, 3, 2, 2, 3, 1, 0, -1] }
-- output { [1.0f64, 4.0f64, 0.0f64, 0.0f64] }
entry tridiagonal [n] [m] (sizes: [n]i64) (rights: [m]f64): [n]f64 =
  let starts = map2 (-) (scan (+) 0 sizes) sizes
  let linear (a: f64, b: f64) (c: f64, d: f64) = (c + d * a, b * d)
  in #[flattening(bins)] map2 (\start w ->
    let right (i: i64) = rights[start + i]
    let matrices = map (\i -> if i > 0 then (4f64, -1f64, 1f64, 0f64) else (1f64, 0f64, 0f64, 1f64)) (iota w)
    let products =
      scan (\(a, b, c, d) (e, f, g, h) ->
        let s = 1 / (a * e)
        in ((e * a + f * c) * s, (e * b + f * d) * s, (g * a + h * c) * s, (g * b + h * d) * s))
        (1f64, 0f64, 0f64, 1f64) matrices
    let pivots = map (\(a, b, c, d) -> (a * 4 + b) / (c * 4 + d)) products
    let forwards = map (\i -> if i > 0 then (right i, 1 / pivots[i - 1]) else (0f64, 1f64)) (iota w)
    let first = if w > 0 then right 0 else 0
    let ys = map (\(a, b) -> a + b * first) (scan linear (0f64, 1f64) forwards)
    let last = if w > 0 then ys[w - 1] / pivots[w - 1] else 0
    let backwards =
      map (\i ->
        let k = w - 1 - i
        in if i > 0 then (ys[k] / pivots[k], 1 / pivots[k]) else (0f64, 1f64)) (iota w)
    let xs = map (\(a, b) -> a + b * last) (scan linear (0f64, 1f64) backwards)
    in f64.sum xs) starts sizes

-- Determinants of small matrices of different sizes, by Gauss elimination. A lane is an element of a matrix.

-- ==
-- entry: determinants
-- input { [2i64, 1, 3, 0] [2f64, 1, 1, 3, 7, 2, 1, 0, 4, 3, 1, 0, 5, 6] }
-- output { [5.0f64, 7.0f64, 2.0f64, 1.0f64] }
entry determinants [n] [m] (sizes: [n]i64) (elements: [m]f64): [n]f64 =
  let counts = map (\w -> w * w) sizes
  let starts = map2 (-) (scan (+) 0 counts) counts
  in #[flattening(bins)] map2 (\start w ->
    let count = w * w
    let matrix = map (\e -> elements[start + e]) (iota count)
    let (_, determinant) =
      loop (matrix, determinant) = (matrix, 1f64) for k < w do
        let pivot = matrix[k * w + k]
        let matrix =
          map (\e ->
            let (i, j) = (e / w, e % w)
            in if i > k then matrix[e] - matrix[i * w + k] / pivot * matrix[k * w + j] else matrix[e]) (iota count)
        in (matrix, determinant * pivot)
    in determinant) starts sizes

-- K-means of many small sets of numbers, each with its own number of clusters.

-- ==
-- entry: clusters
-- input { [5i64, 0, 3] [2i64, 1, 3] [0f64, 2, 8, 10, 1, 5, 5, 7] }
-- output { [10.0f64, 0.0f64, 12.0f64] }
entry clusters [n] [m] (sizes: [n]i64) (counts: [n]i64) (values: [m]f64): [n]f64 =
  let starts = map2 (-) (scan (+) 0 sizes) sizes
  in #[flattening(bins)] map3 (\start w k ->
    let points = map (\i -> values[start + i]) (iota w)
    let centres = loop centres = replicate k 0f64 for c < k do centres with [c] = f64.i64 c * 4
    let centres =
      loop centres for _round < 3 do
        let nearest =
          map (\p ->
            let (best, _) =
              loop (best, distance) = (0, f64.inf) for c < k do
                let d = f64.abs (p - centres[c])
                in if d < distance then (c, d) else (best, distance)
            in best) points
        in loop centres for c < k do
          let total = f64.sum (map2 (\b p -> if b == c then p else 0) nearest points)
          let members = i64.sum (map (\b -> i64.bool (b == c)) nearest)
          in centres with [c] = if members == 0 then 0 else total / f64.i64 members
    in loop sum = 0 for c < k do sum + centres[c]) starts sizes counts

-- Words of a text: how many vowels each has, and the sum of the places of those vowels.

-- ==
-- entry: vowels
-- input { [0i64, 5, 5, 13] [5i64, 0, 8, 2] "vowelsequoiaxxx" }
-- output { [2i64, 0i64, 5i64, 0i64] [4i64, 0i64, 19i64, 0i64] }
entry vowels [n] [m] (starts: [n]i64) (lengths: [n]i64) (text: [m]u8): [n](i64, i64) =
  #[flattening(bins)] map2 (\start length ->
    let is_vowel (c: u8) = c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'
    let places = filter (\j -> is_vowel text[start + j]) (iota length)
    in (i64.sum (map (\_ -> 1) places), i64.sum places)) starts lengths
