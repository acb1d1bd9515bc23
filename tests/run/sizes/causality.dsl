-- Sizes that are known before they are used.
-- ==
-- entry: let_before_use
-- input { [1, 2, 3] } output { 2i64 }
-- entry: loops_in_a_map
-- input { [[1, 2], [3, 4]] } output { [[1, 2], [3, 4]] }
-- entry: rows_of_different_size
-- input { [3i64, 2i64] } output { 5i64 }
-- entry: local_function
-- input { 3i64 } output { [[0i64, 1i64, 2i64], [0i64, 1i64, 2i64]] }
-- entry: lambda_with_a_loop
-- input { [1, 2, 3] } output { [1, 2, 3] }
-- entry: while_with_a_filter
-- input { 4i64 } output { 6i64 }
-- entry: bounds_of_the_index
-- input { [1,2,3] } output { [6, 5, 3] }
-- entry: loop_that_shrinks
-- input { [1,2,3] 2i64 } output { [2, 3] }

entry let_before_use (xs: []i32): i64 =
  let ys = filter (> 1) xs
  let zs = map2 (+) ys ys
  in length zs

entry loops_in_a_map [n] (xss: [n][n]i32): [n][n]i32 =
  let step (yss: [n][n]i32) = loop zss = yss for i < 2 do map (\zs -> loop ws = zs for j < n do map (+ 0) ws) zss
  in step xss

entry rows_of_different_size (ns: []i64): i64 =
  reduce (+) 0 (map (\n -> length (iota n)) ns)

entry local_function (n: i64): [2][n]i64 =
  let f x = iota n
  in map f (iota 2)

entry lambda_with_a_loop [n] (xs: [n]i32): [n]i32 =
  let go = \ys -> loop zs = ys for i < 3 do map id zs
  in go xs

entry while_with_a_filter (n: i64): i64 =
  let (_, s) = loop (ys, s) = (iota n, 0) while s < n + 2 do
    let zs = filter (>= 0) ys
    in (zs, s + i64.min 2 (length zs))
  in s

entry bounds_of_the_index [n] (xs: [n]i32): [n]i32 =
  map (\i -> loop s = 0 for j < n - i do s + xs[i + j]) (iota n)

entry loop_that_shrinks [n] (xs: [n]i32) (k: i64): []i32 =
  let f (ys: []i32) = loop (zs: []i32) = ys for _i < n - k do tail zs
  in f xs

def rows [n] (above: [][n]i32) (row: [n]i32) = (length above, n, length row)

-- The last argument is evaluated first.
-- ==
-- entry: arguments
-- input { [1, -2, 3] }
-- output { 0i64 2i64 2i64 }
entry arguments (xs: []i32) = rows [] (filter (> 0) xs)
