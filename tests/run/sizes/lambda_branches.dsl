-- Branches in lambdas whose parameters have no written type: the branch decides their sizes.
-- ==
-- entry: mapped
-- input { [1, 2] [[3, 4], [5, 6]] true } output { [[4, 5], [6, 7]] }
-- input { [1, 2] [[3, 4], [5, 6]] false } output { [[1, 2], [1, 2]] }
-- entry: piped
-- input { [1, 2] [[-3, 4], [5, 6]] } output { [[1, 2], [6, 5]] }
-- entry: reduced
-- input { [[1, 2], [3, 1], [2, 2]] } output { [3, 1] }
-- entry: scanned
-- input { [[1, 2], [3, 1], [2, 2]] } output { [[1, 2], [3, 1], [6, 4]] }
-- entry: nested
-- input { [[1, 2], [3, 4]] 3 } output { [[[1, 2], [3, 4]], [[2, 1], [4, 5]]] }
-- entry: of_cases
-- input { [7, 8] [[0, 1], [1, 2], [2, 3]] } output { [[7, 8], [2, 1], [3, 4]] }
-- entry: in_a_loop
-- input { [1, 2] [[3, 4], [5, 6]] } output { [[1, 2], [4, 5]] }
-- entry: of_a_number
-- input { 2i64 [[3i64, 4i64], [5i64, 6i64]] } output { [[0i64, 1i64], [6i64, 7i64]] }
-- entry: for_rows_of_any_size
-- input { [[1, 2, 3], [0, 1, 2]] [7] } output { [9, 7] }
-- entry: of_any_size
-- input { [1, 2, 3] true } output { [2, 3, 4] }
-- input { [1, 2, 3] false } output { [9] }
-- entry: of_two_sizes
-- input { 3i64 } output { [1i64, 2i64, 3i64] [0i64] }

entry mapped [n] (a: [n]i32) (xss: [][n]i32) (c: bool) = map (\xs -> if c then map (+ 1) xs else a) xss

entry piped [n] (a: [n]i32) (xss: [][n]i32) = xss |> map (\xs -> if xs[0] > 0 then reverse xs else a)

entry reduced [n] (xss: [][n]i32): [n]i32 =
  reduce (\a b -> if a[0] > b[0] then a else map (+ 0) b) (replicate n 0) xss

entry scanned [n] (xss: [][n]i32): [][n]i32 =
  scan (\a b -> if a[0] > b[0] then map2 (\x y -> x + y + 1) a b else b) (replicate n 0) xss

entry nested [n] (xss: [][n]i32) (k: i32) =
  map (\i -> map (\xs -> if i == 0 then xs else if xs[0] < k then reverse xs else map (+ 1) xs) xss) [0, 1]

entry of_cases [n] (a: [n]i32) (xss: [][n]i32): [][n]i32 =
  map (\xs -> match xs[0] case 0 -> a case 1 -> reverse xs case _ -> map (+ 1) xs) xss

entry in_a_loop [n] (a: [n]i32) (xss: [][n]i32): [][n]i32 =
  loop yss = xss for i < 3i32 do map (\ys -> if ys[0] < 6 then map (+ i) ys |> map (+ 1) else a) yss

entry of_a_number (n: i64) (xss: [][2]i64) =
  map2 (\i xs -> if i == 0 then iota n else map (+ 1) xs) [0i64, 1] (map (sized n) xss)

entry for_rows_of_any_size (xss: [][]i32) (a: [1]i32) =
  map (\xs -> i32.sum (if xs[0] == 0 then a else map (+ 1) xs)) xss

def call (f: []i32 -> []i32) (xs: []i32): []i32 = f xs

entry of_any_size (xs: []i32) (c: bool): []i32 = call (\ys -> if c then map (+ 1) ys else [9]) xs

def both '~a '~b (f: a -> b) (x: a) (y: a): (b, b) = (f x, f y)

entry of_two_sizes (n: i64): ([]i64, []i64) =
  both (\k -> if k > 2 then map (+ 1) (iota k) else [0]) n 1
