-- With `#[flattening(full)]`, a loop of a point whose bound is the same for all points, and that has parallel operations inside,
-- becomes a loop of the host over arrays of all points (the rule `interchange-loop`). Likewise for branches
-- (`interchange-branch`).

-- ==
-- entry: powers
-- input { [[1i32, 2], [3, 4]] 3i64 }
-- output { [[8i32, 16], [24, 32]] [42i32, 98] }
-- input { [[1i32, 2], [3, 4]] 0i64 }
-- output { [[1i32, 2], [3, 4]] [0i32, 0] }
-- input { empty([0][2]i32) 3i64 }
-- output { empty([0][2]i32) empty([0]i32) }
-- input { empty([2][0]i32) 3i64 }
-- output { empty([2][0]i32) [0i32, 0] }
entry powers [n] [m] (xss: [n][m]i32) (k: i64): ([n][m]i32, [n]i32) =
  unzip (#[flattening(full)] map (\xs ->
    loop (ys, s) = (xs, 0) for _i < k do
      let zs = map (* 2) ys
      in (zs, s + i32.sum zs)) xss)

-- The first values are computed, and one of them is a result as well.

-- ==
-- entry: smoothed
-- input { [[0i64, 3, 6, 9], [1, 1, 1, 1]] 2i64 }
-- output { [[1i64, 3, 5, 7], [1, 1, 1, 1]] [[2i64, 5, 8, 11], [3, 3, 3, 3]] }
entry smoothed [n] [m] (xss: [n][m]i64) (k: i64): ([n][m]i64, [n][m]i64) =
  unzip (#[flattening(full)] map (\xs ->
    let first = map (+ 2) xs
    let ys = loop ys = first for _i < k do
      map (\j -> (ys[i64.max 0 (j - 1)] + ys[j] + ys[i64.min (m - 1) (j + 1)]) / 3) (iota m)
    in (map (\y -> y - 2) ys, first)) xss)

-- Two arrays that are exchanged in each iteration.

-- ==
-- entry: exchanged
-- input { [[1i32, 2], [3, 4]] [[10i32, 20], [30, 40]] 3i64 }
-- output { [[1i32, 2], [3, 4]] [[12i32, 24], [36, 48]] }
-- input { [[1i32, 2]] [[10i32, 20]] 0i64 }
-- output { [[1i32, 2]] [[10i32, 20]] }
entry exchanged [n] [m] (xss: [n][m]i32) (yss: [n][m]i32) (k: i64): ([n][m]i32, [n][m]i32) =
  unzip (#[flattening(full)] map2 (\xs ys ->
    let (a, b, _) = loop (as, bs, d) = (xs, ys, 0) for _i < k do (bs, if d == 0 then map2 (+) as bs else map2 (-) bs as, (d + 1) % 2)
    in (a, b)) xss yss)

-- A loop in a loop, with a scan inside.

-- ==
-- entry: nested
-- input { [[1i32, 1, 1], [0, 1, 2]] }
-- output { [[1i32, 5, 15], [0, 1, 6]] }
entry nested [n] [m] (xss: [n][m]i32): [n][m]i32 =
  #[flattening(full)] map (\xs ->
    loop ys = xs for _i < 2i64 do
      loop zs = ys for _j < 2i64 do scan (+) 0 zs) xss

-- The bound differs from point to point: the loop stays in the point.

-- ==
-- entry: varying
-- input { [[1i32, 2], [3, 4]] [1i64, 2] }
-- output { [[2i32, 4], [12, 16]] [3i32, 7] }
entry varying [n] [m] (xss: [n][m]i32) (ks: [n]i64): ([n][m]i32, [n]i32) =
  unzip (#[flattening(full)] map2 (\xs k ->
    (loop ys = xs for _i < k do map (* 2) ys, i32.sum xs)) xss ks)

-- An array that the loop updates in place: the loop stays in the point.

-- ==
-- entry: updating
-- input { [[1i64, 2, 3], [4, 5, 6]] }
-- output { [[6i64, 2, 3], [15, 5, 6]] }
entry updating [n] [m] (xss: [n][m]i64): [n][m]i64 =
  #[flattening(full)] map (\xs ->
    let ys = loop ys = copy xs for i < m do
      let s = i64.sum xs in ys with [i] = (if i == 0 then s else xs[i])
    in map (+ (i64.sum xs - i64.sum xs)) ys) xss

-- Branches on a value from outside.

-- ==
-- entry: chosen
-- input { [[1i32, 2], [3, 4]] true }
-- output { [[3i32, 6], [21, 28]] [3i32, 7] }
-- input { [[1i32, 2], [3, 4]] false }
-- output { [[1i32, 2], [3, 4]] [3i32, 7] }
entry chosen [n] [m] (xss: [n][m]i32) (c: bool): ([n][m]i32, [n]i32) =
  unzip (#[flattening(full)] map (\xs ->
    let s = i32.sum xs
    in (if c then map (* s) xs else xs, s)) xss)

-- A branch in a loop, on the counter of the loop.

-- ==
-- entry: alternating
-- input { [[1i32, 2], [3, 4]] 3i64 }
-- output { [[4i32, 5], [6, 7]] }
entry alternating [n] [m] (xss: [n][m]i32) (k: i64): [n][m]i32 =
  #[flattening(full)] map (\xs ->
    loop ys = xs for i < k do
      if i % 2 == 0 then map (+ 1) ys else let most = i32.maximum ys in map (\y -> y + most - most + i32.i64 i) ys) xss

-- A failure in an iteration.

-- ==
-- entry: failing
-- input { [[1i64, 0], [0, 1]] 3i64 }
-- output { [[1i64, 0], [0, 1]] }
-- input { [[1i64, 0], [0, 2]] 3i64 }
-- error: Index \[2\] out of bounds for array of shape \[2\]
-- input { [[1i64, 0], [0, 2]] 0i64 }
-- output { [[1i64, 0], [0, 2]] }
entry failing [n] [m] (xss: [n][m]i64) (k: i64): [n][m]i64 =
  #[flattening(full)] map (\xs ->
    loop ys = xs for i < k do map (\j -> if i == 1 then xs[ys[ys[j]]] else ys[j]) (iota m)) xss

-- Two loops begin with one array, and the host then updates one of the results in place.

-- ==
-- entry: twice
-- input { [[1i32, 2], [3, 4]] 0i64 0i64 }
-- output { [[0i32, 0], [4, 5]] [[2i32, 3], [4, 5]] }
-- input { [[1i32, 2], [3, 4]] 1i64 2i64 }
-- output { [[0i32, 0], [4, 9]] [[2i32, 7], [4, 13]] }
entry twice [n] [m] (xss: [n][m]i32) (k: i64) (l: i64): ([n][m]i32, [n][m]i32) =
  let (as, bs) = unzip (#[flattening(full)] map (\xs ->
    let first = map (+ 1) xs
    in (loop ys = first for _i < k do scan (+) 0 ys, loop zs = first for _i < l do scan (+) 0 zs)) xss)
  in (as with [0] = replicate m 0, bs)
