-- Points with arrays of several sizes.

-- Maps and scans of two sizes, which read each other.

-- ==
-- entry: several
-- input { [3i64, 0, 5, 1] [2i64, 4, 0, 3] [1i32, 2, 3, 4] }
-- output { [12i32, 20i32, 60i32, 10i32] }
-- input { [1i64, 2, 3] [2i64, -1, 3] [1i32, 2, 3] }
-- error: Range 0\.\.1\.\.<-1 is invalid
-- input { [1i64, 0, -3] [2i64, 2, -1] [1i32, 2, 3] }
-- error: Range 0\.\.1\.\.<-3 is invalid
entry several [n] (ws: [n]i64) (ks: [n]i64) (xs: [n]i32): [n]i32 =
  #[flattening(bins)] map3 (\w k x ->
    let as = map (\i -> x * i32.i64 i) (iota w)
    let bs = map (\j -> i32.i64 j + 1) (iota k)
    let sums = scan (+) 0 bs
    let cs = map (\j -> if w > 0 then as[(j * 2) % w] + sums[j] else sums[k - 1 - j]) (iota k)
    let ds = map2 (+) as (scan i32.max 0 as)
    in i32.sum cs + i32.sum ds) ws ks xs

-- Loops whose points carry arrays of two sizes.

-- ==
-- entry: carried
-- input { [3i64, 0, 5, 600, 2] [2i64, 3, 1, 4, 0] [2i64, 5, 0, 3, 4] }
-- output { [1521i64, 0i64, 10i64, 5138100i64, 1i64] }
-- input { [2i64, 3, 1, 0] [1500i64, 1600, 2049, 2048] [2i64, 1, 1, 3] }
-- output { [36001i64, 115203i64, 2556164i64, 0i64] }
-- input { [1500i64, 1600, 2049, 2048] [2i64, 3, 1, 0] [2i64, 1, 1, 3] }
-- output { [4529250i64, 5227200i64, 4908624i64, 100128i64] }
entry carried [n] (ws: [n]i64) (ks: [n]i64) (ts: [n]i64): [n]i64 =
  #[flattening(bins)] map3 (\w k t ->
    let (as, bs) =
      loop (as, bs) = (iota w, map (\j -> j * 2) (iota k)) for _i < t do
        let total = i64.sum bs
        let most = i64.maximum as
        in (map (\a -> (a + total) % 100) as, map (\b -> if w > 0 then (b * 3 + most) % 50 else b) bs)
    in if k > 0 then i64.sum as * (1 + i64.sum bs) else i64.sum as) ws ks ts

-- Words of a text: the greatest number of equal letters, and a checksum of all numbers.

-- ==
-- entry: letters
-- input { [0i64, 5, 5, 13] [5i64, 0, 8, 2] "vowelsequoiaxxx" }
-- output { [430i64, 325i64, 433i64, 529i64] }
entry letters [n] [m] (starts: [n]i64) (lengths: [n]i64) (text: [m]u8): [n]i64 =
  #[flattening(bins)] map2 (\start length ->
    let places = map (\j -> i64.u8 (text[start + j] - 'a')) (iota length)
    let counts = reduce_by_index (replicate 26 0i64) (+) 0 places (map (\_ -> 1i64) (iota length))
    in i64.maximum counts * 100 + i64.sum (map2 (\c i -> c * c + i) counts (iota 26))) starts lengths

-- K-means of many small sets of numbers, each with its own number of clusters: a map for each number, and two histograms.

-- ==
-- entry: kmeans
-- input { [0i64, 5, 5] [5i64, 0, 3] [2i64, 1, 3] [0f64, 2, 8, 10, 1, 5, 5, 7] }
-- output { [10.0f64, 0.0f64, 12.0f64] }
entry kmeans [n] [m] (starts: [n]i64) (sizes: [n]i64) (counts: [n]i64) (values: [m]f64): [n]f64 =
  #[flattening(bins)] map3 (\start w k ->
    let points = map (\i -> values[start + i]) (iota w)
    let centres = map (\c -> f64.i64 c * 4) (iota k)
    let centres =
      loop centres for _round < 3 do
        let nearest =
          map (\p ->
            let (best, _) =
              loop (best, distance) = (0, f64.inf) for c < k do
                let d = f64.abs (p - centres[c])
                in if d < distance then (c, d) else (best, distance)
            in best) points
        let totals = reduce_by_index (replicate k 0f64) (+) 0 nearest points
        let members = reduce_by_index (replicate k 0i64) (+) 0 nearest (replicate w 1i64)
        in map2 (\t m -> if m == 0 then 0 else t / f64.i64 m) totals members
    in f64.sum centres) starts sizes counts

-- Determinants of small matrices of different sizes, by Gauss elimination of nested arrays.

-- ==
-- entry: nested_determinants
-- input { [2i64, 1, 3, 0] [2f64, 1, 1, 3, 7, 2, 1, 0, 4, 3, 1, 0, 5, 6] }
-- output { [5.0f64, 7.0f64, 2.0f64, 1.0f64] }
entry nested_determinants [n] [m] (sizes: [n]i64) (elements: [m]f64): [n]f64 =
  let counts = map (\w -> w * w) sizes
  let starts = map2 (-) (scan (+) 0 counts) counts
  in #[flattening(bins)] map2 (\start w ->
    let matrix = map (\i -> map (\j -> elements[start + i * w + j]) (iota w)) (iota w)
    let (_, determinant) =
      loop (matrix, determinant) = (matrix, 1f64) for k < w do
        let pivot = matrix[k, k]
        let matrix =
          map (\i ->
            let factor = if i > k then matrix[i,k] / pivot else 0
            in map (\j -> matrix[i, j] - factor * matrix[k, j]) (iota w)) (iota w)
        in (matrix, determinant * pivot)
    in determinant) starts sizes

-- Solutions of linear systems of different sizes. The pivot is the largest element of its column, and rows change places.

-- ==
-- entry: solutions
-- input { [2i64, 1, 3, 0, 2] [2f64, 1, 1, 3, 7, 0, 2, 1, 1, 4, 3, 2, 0, 5, 0, 1, 1, 0] [3f64, 4, 14, 3, 8, 7, 5, 6] }
-- output { [2.0f64, 2.0f64, 3.0f64, 0.0f64, 11.0f64] }
entry solutions [n] [m] [l] (sizes: [n]i64) (elements: [m]f64) (rights: [l]f64): [n]f64 =
  let counts = map (\w -> w * w) sizes
  let starts = map2 (-) (scan (+) 0 counts) counts
  let firsts = map2 (-) (scan (+) 0 sizes) sizes
  in #[flattening(bins)] map3 (\start first w ->
    let columns = w + 1
    let system =
      map (\i -> map (\j -> if j < w then elements[start + i * w + j] else rights[first + i]) (iota columns)) (iota w)
    let solved =
      loop system for k < w do
        let sizes_of_rows = map (\i -> if i < k then -1 else f64.abs system[i, k]) (iota w)
        let (_, row) =
          reduce (\(a, i) (b, j) -> if b > a then (b, j) else (a, i)) (-1f64, 0) (zip sizes_of_rows (iota w))
        let pivot = system[row, k]
        let place (i: i64) = if i == k then row else if i == row then k else i
        in map (\i ->
             let own = place i
             let factor = if i == k then 0 else system[own, k] / pivot
             in map (\j -> if i == k then system[row, j] / pivot else system[own, j] - factor * system[row, j])
                  (iota columns)) (iota w)
    in f64.sum (map (\i -> solved[i, w]) (iota w))) starts firsts sizes

-- Products of a matrix and itself, transposed, and a window of it; an array of three dimensions.

-- ==
-- entry: products
-- input { [2i64, 0, 3, 40, 1, 50] [3i64, 2, 1, 45, 0, 2] }
-- output { [69i64, 7i64, 28i64, 3601i64, 7i64, 4376i64] }
-- input { [60i64, 2] [40i64, 3] }
-- output { [6051i64, 69i64] }
entry products [n] (ws: [n]i64) (ks: [n]i64): [n]i64 =
  #[flattening(bins)] map2 (\w k ->
    let a = map (\i -> map (\j -> i * 3 + j * j - 2) (iota k)) (iota w)
    let b = map (\j -> map (\i -> a[i, j] + i) (iota w)) (iota k)
    let c = map (\row -> map (\column -> i64.sum (map2 (*) row column)) (transpose b)) a
    let d = map (\i -> map (\j -> map (\l -> i + j * l) (iota 2)) (iota k)) (iota w)
    let sums = map (\rows -> i64.sum (map (\row -> row[1]) rows)) d
    let corner = if w > 1 && k > 1 then i64.sum (map (\row -> row[1]) a[1:]) else 7
    in i64.sum (map i64.sum c) % 1000 + i64.sum sums % 1000 + corner) ws ks

-- Rows that branches make, and updates of elements.

-- ==
-- entry: branches
-- input { [2i64, 0, 3, 5] [3i64, 2, 1, 4] }
-- output { [102i64, 0i64, 3i64, 662i64] }
entry branches [n] (ws: [n]i64) (ks: [n]i64): [n]i64 =
  #[flattening(bins)] map2 (\w k ->
    let a = map (\i -> if i % 2 == 0 then map (\j -> i * j) (iota k) else replicate k i) (iota w)
    let b = if w > 2 then map (\row -> map (+ 1) row) a else a
    let c = loop c = copy b for i < i64.min w k do c with [i, k - 1 - i] = i * 100
    in i64.sum (map i64.sum c)) ws ks

-- Permutations: the places of the elements in another order, and the cycles from 0.

-- ==
-- entry: inverses
-- input { [4i64, 0, 7, 1, 10] [3i64, 1, 5, 2, 7] }
-- output { [261i64, 0i64, 1618i64, 0i64, 3727i64] }
entry inverses [n] (ws: [n]i64) (factors: [n]i64): [n]i64 =
  #[flattening(bins)] map2 (\w factor ->
    let forth = map (\i -> i * factor % i64.max w 1) (iota w)
    let back = scatter (replicate w (-1)) forth (iota w)
    let (last, length) =
      loop (places, sum) = (back, 0) for _i < factor do
        (scatter (copy places) (map (\i -> i * 2 - 1) (iota w)) (map (+ 1) places), sum + i64.sum places)
    in length * 10 + i64.sum last) ws factors

-- A histogram of a constant size, which the points go on to change.

-- ==
-- entry: changed
-- input { [4i64, 0, 9, 30] [1i32, 2, 3, 4] }
-- output { [7121i32, 4221i32, 26986i32, 337621i32] }
entry changed [n] (ws: [n]i64) (xs: [n]i32): [n]i32 =
  #[flattening(bins)] map2 (\w x ->
    let values = map (\i -> x * i32.i64 i) (iota w)
    let sums = reduce_by_index [1, x, 3, 4] (+) 0 (map (\v -> i64.i32 v % 5) values) values
    let sums = copy sums with [2] = x
    let sums = loop sums = sums for i < x do sums with [i64.i32 i % 4] = sums[0] + i
    in sums[0] + 10 * sums[1] + 100 * sums[2] + 1000 * sums[3]) ws xs

-- K-means of many small sets of points of d coordinates, each with its own number of clusters: histograms of rows.

-- ==
-- entry: coordinates
-- input { [4i64, 0, 3, 5] [2i64, 1, 3, 2] [[0f64, 1], [1, 1], [8, 7], [9, 9], [5, 5], [1, 2], [2, 1], [3, 3], [0, 9], [9, 0], [4, 4], [5, 5]] }
-- output { [18.0f64, 0.0f64, 13.0f64, 8.4f64] }
entry coordinates [n] [m] [d] (sizes: [n]i64) (counts: [n]i64) (values: [m][d]f64): [n]f64 =
  let starts = map2 (-) (scan (+) 0 sizes) sizes
  in #[flattening(bins)] map3 (\start w k ->
    let points = map (\i -> values[start + i]) (iota w)
    let centres = map (\c -> map (\j -> f64.i64 (c * 4 + j)) (iota d)) (iota k)
    let centres =
      loop centres for _round < 3 do
        let nearest =
          map (\p ->
            let (best, _) =
              loop (best, distance) = (0, f64.inf) for c < k do
                let e = f64.sum (map2 (\x y -> (x - y) * (x - y)) p centres[c])
                in if e < distance then (c, e) else (best, distance)
            in best) points
        let totals = reduce_by_index (replicate k (replicate d 0f64)) (map2 (+)) (replicate d 0f64) nearest points
        let members = reduce_by_index (replicate k 0i64) (+) 0 nearest (replicate w 1i64)
        in map2 (\t n -> map (\x -> if n == 0 then 0 else x / f64.i64 n) t) totals members
    in f64.sum (map f64.sum centres)) starts sizes counts

-- Rows of matrices of different sizes in another order.

-- ==
-- entry: rows
-- input { [4i64, 0, 7, 3] [3i64, 2, 2, 50] }
-- output { [300i64, 0i64, 436i64, 3150i64] }
entry rows [n] (ws: [n]i64) (ks: [n]i64): [n]i64 =
  #[flattening(bins)] map2 (\w k ->
    let a = map (\i -> map (\j -> i * 10 + j) (iota k)) (iota w)
    let b = scatter (map (\i -> replicate k (-i)) (iota w)) (map (\i -> i * 2 - 1) (iota w)) a
    in i64.sum (map2 (\i row -> (i + 1) * i64.sum row) (iota w) b)) ws ks
