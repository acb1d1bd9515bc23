-- Arrays that the body of a block creates, element by element and part by part.

-- ==
-- entry: made
-- input { [[1i32, 2, 3], [4, 5, 6]] [0i64, 2] }
-- output { [[10i32, 2, 3], [4, 5, 60]] [[1i32, 2, 3, 3, 7, 7], [4, 5, 6, 6, 7, 7]] }
entry made [n] [m] (xss: [n][m]i32) (is: [n]i64): ([n][m]i32, [n][m + 3]i32) =
  unzip (#[flattening(block)] map2 (\xs i ->
    let changed = copy xs with [i] = 10 * xs[i]
    let tail = replicate 3 7 with [0] = i32.maximum xs
    in (changed, xs ++ tail)) xss is)

-- ==
-- entry: counted
-- input { [[1i32, 2, 3, 4], [2, 2, 1, 1]] }
-- output { [[-1i32, 1, 1, 1, 1], [-1, 2, 2, 0, 0]] }
entry counted [n] (xss: [n][4]i32): [n][5]i32 =
  #[flattening(block)] map (\xs ->
    let counts = map (\k -> i32.sum (map (\x -> i32.bool (x == i32.i64 k)) xs)) (iota 5)
    in counts with [0] = -1) xss

-- ==
-- entry: scattered
-- input { [[3i64, 1, 0, 2], [0, 9, 1, -1]] }
-- output { [[20i64, 10, 30, 0], [0, 20, -1, -1]] }
entry scattered [n] [m] (iss: [n][m]i64): [n][m]i64 =
  #[flattening(block)] map (\is -> scatter (replicate m (-1)) is (map (* 10) (iota m))) iss

-- A table of constants that all blocks read.

-- ==
-- entry: table
-- input { [[0i64, 5], [19, 7]] }
-- output { [[2i64, 13], [19, 19]] }
entry table [n] [m] (iss: [n][m]i64): [n][m]i64 =
  #[flattening(block)] map (\is ->
    let ps = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71]
    in scan i64.max 0 (map (\i -> ps[i]) (reverse is)) |> map2 i64.min (map (\i -> ps[i]) is)) iss

-- Several values have the same index, and one of them stays.

-- ==
-- entry: one_stays
-- input { [4i64, 0, 7] 6i64 }
-- output { [true, true, true] }
entry one_stays [n] (firsts: [n]i64) (m: i64): [n]bool =
  #[flattening(block)] map (\first ->
    let kept = scatter (replicate 2 (-1)) (map (% 2) (iota m)) (map (+ first) (iota m))
    let fits k = kept[k] >= first && kept[k] < first + m && (kept[k] - first) % 2 == k
    in fits 0 && fits 1) firsts
