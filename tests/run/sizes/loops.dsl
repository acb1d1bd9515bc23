-- Loops over arrays: invariant, variant and named sizes; nested loops, also in functions.
-- ==
-- entry: nested
-- input { [[1, 2], [3, 4]] } output { [[3, 4], [5, 6]] }
-- entry: nested_in_lambda
-- input { 3i64 2i64 } output { [[2i64, 2i64], [2i64, 2i64], [2i64, 2i64]] }
-- entry: grows
-- input { 3i64 } output { [1, 1, 1, 1, 1, 1, 1, 1] }
-- entry: shrinks
-- input { [5, 4, 3, 2, 1] } output { [5] }
-- entry: binder
-- input { 3i64 } output { 4i64 }
-- entry: no_init
-- input { 3 } output { 6 }
-- entry: wild
-- input { 3i64 } output { 6i64 }
-- entry: pair_of_sizes
-- input { 3i64 } output { [0i64, 1i64, 2i64] [0i64, 1i64, 2i64, 3i64, 4i64, 5i64] }
-- entry: while_filter
-- input { [3, 1, 2] } output { 3 }
-- entry: for_in_with_arrays
-- input { [[1, 2], [3, 4]] } output { [4, 6] }
-- entry: lambda_loops
-- input { [[1, 2], [3, 4]] } output { [[6, 7], [8, 9]] }
-- entry: double_nested
-- input { 2i64 3i64 } output { [[6i64, 6i64, 6i64], [6i64, 6i64, 6i64]] }
-- entry: of_a_product
-- input { 2i64 2i64 [1, 2, 3, 4] } output { [3, 4, 5, 6] }
-- entry: own_size_that_stays
-- input { 3i64 } output { 3i64 [2i64, 3i64, 4i64] }
-- entry: own_size_that_grows
-- input { 3i64 } output { 5i64 [0i64, 1i64, 2i64, 3i64, 4i64] }
-- entry: own_size_of_a_while
-- input { 1i64 } output { 15i64 }
-- entry: two_own_sizes
-- input { 2i64 3i64 } output { 3i64 2i64 [[1, 1], [1, 1], [1, 1]] }
entry nested [n] [m] (xss: [n][m]i32): [n][m]i32 =
  loop yss = xss for i < 2 do
    map (\ys -> loop zs = ys for j < 1 do map (+ 1) zs) yss

entry nested_in_lambda (n: i64) (m: i64): [n][m]i64 =
  map (\_ -> loop xs = replicate m 0 for i < 2 do loop ys = xs for j < 1 do map (+ 1) ys) (iota n)

entry grows (n: i64): []i32 = loop xs = [1] for i < n do xs ++ xs

entry shrinks (xs: []i32): []i32 = loop ys = xs while length ys > 1 do take (length ys - 1) ys

entry binder (n: i64): i64 =
  let ys = loop [k] (xs: [k]i64) = [0] for _i < n do xs ++ [k]
  in length ys

entry no_init (n: i32): i32 =
  let s = 0
  let i = 0
  let (s, _) = loop (s, i) while i < n do (s + i + 1, i + 1)
  in s

entry wild (n: i64): i64 = loop s = 0 for _ in iota n do s + 2

entry pair_of_sizes (n: i64): ([]i64, []i64) =
  loop (a, b) = (iota 0, iota 0) for i < n do (iota (i + 1), iota (2 * (i + 1)))

entry while_filter (xs: []i32): i32 =
  let (_, count) = loop (ys, c) = (xs, 0) while length ys > 0 do (filter (> 1) (map (\y -> y - 1) ys) , c + 1)
  in count + 1

entry for_in_with_arrays [n] [m] (xss: [n][m]i32): [m]i32 =
  loop acc = replicate m 0 for xs in xss do map2 (+) acc xs

entry lambda_loops [n] [m] (xss: [n][m]i32): [n][m]i32 =
  map (\xs -> loop ys = xs for i < 5 do loop zs = ys for j < 1 do map (+ 1) zs) xss

entry double_nested (n: i64) (m: i64): [n][m]i64 =
  loop xss = replicate n (replicate m 0) for i < 2 do
    loop yss = xss for j < 3 do
      map (map (+ 1)) yss

def increment [n] [m] (xs: *[n * m]i32) =
  let sums = flatten (map (map (+ 1)) (unflatten xs))
  in scatter xs (iota (n * m)) sums

entry of_a_product (n: i64) (m: i64) (xs: []i32): [n * m]i32 =
  let xs = sized (n * m) (copy xs)
  in loop xs for _i < 2i32 do increment xs

entry own_size_that_stays (n: i64): (i64, []i64) =
  loop (m, xs: [m]i64) = (n, iota n) for _i < 2 do (m, map (+ 1) xs)

entry own_size_that_grows (n: i64): (i64, []i64) =
  loop (m, xs: [m]i64) = (n, iota n) for _i < 2 do (m + 1, iota (m + 1))

entry own_size_of_a_while (n: i64): i64 =
  let (m, xs) = loop (m, xs: [m]i64) = (n, iota n) while m < 10 do (m * 2 + 1, iota (m * 2 + 1))
  in xs[m - 1] + 1

entry two_own_sizes (n: i64) (k: i64): (i64, i64, [][]i32) =
  loop (m, k, xs: [m][k]i32) = (n, k, replicate n (replicate k 1)) for _i < 3 do (k, m, transpose xs)
