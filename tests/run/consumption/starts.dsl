-- Loops that produce new arrays from an initial array that is still used: two blocks alternate, the first is a copy.
-- ==
-- entry: kept
-- input { [1i64, 2i64, 3i64] 0i64 }
-- output { [1i64, 2i64, 3i64] 1i64 }
-- input { [1i64, 2i64, 3i64] 4i64 }
-- output { [32i64, 48i64, 16i64] 1i64 }
-- entry: moving
-- input { [1i64, 2i64, 3i64] 0i64 }
-- output { [1i64, 2i64, 3i64] [2i64, 3i64, 4i64] [1i64, 2i64, 3i64] }
-- input { [1i64, 2i64, 3i64] 2i64 }
-- output { [1i64, 2i64, 3i64] [6i64, 9i64, 6i64] [8i64, 11i64, 8i64] }
-- entry: moving
-- input { [1i64, 2i64, 3i64] 5i64 }
-- output { [12i64, 17i64, 10i64] [29i64, 26i64, 23i64] [38i64, 37i64, 30i64] }
-- entry: table
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] 3i64 }
-- output { [[25i64, 25i64], [19i64, 19i64], [19i64, 19i64]] [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] }
-- entry: inner
-- input { [1i64, 2i64, 3i64] 4i64 }
-- output { [3i64, 9i64, 6i64] }
-- entry: both
-- input { [1i64, 2i64, 3i64] 4i64 }
-- output { [9i64, 13i64, 17i64] [8i64, 12i64, 16i64] }
-- entry: twice
-- input { [1i64, 2i64, 3i64] 3i64 }
-- output { [12i64, 12i64, 12i64] [12i64, 12i64, 12i64] }
-- entry: points
-- input { [1i64, 2i64, 3i64] 3i64 }
-- output { [0i64, -57i64, -345i64] }

entry kept [n] (xs: [n]i64) (k: i64): ([n]i64, i64) =
  let ys = loop ys = xs for _i < k do tabulate n (\j -> ys[(j + 1) % n] * 2)
  in (ys, xs[0])

entry moving [n] (xs: [n]i64) (k: i64): ([n]i64, [n]i64, [n]i64) =
  loop (a, b, c) = (xs, map (+ 1) xs, xs) for i < k do
    (b, c, tabulate n (\j -> a[(j + 1) % n] * 2 + b[j] + i))

entry table [n][m] (xs: [n][m]i64) (k: i64): ([n][m]i64, [n][m]i64) =
  let ys = loop ys = xs for i < k do tabulate_2d n m (\j q -> ys[(j + 1) % n, q] + ys[j, (q + 1) % m] * i)
  in (ys, xs)

-- Each run of the inner loop begins with an array of the outer loop.
entry inner [n] (xs: [n]i64) (k: i64): [n]i64 =
  loop a = xs for i < k do
    let b = loop b = a for j < i do tabulate n (\q -> b[(q + 1) % n] + a[q] + j)
    in tabulate n (\q -> b[n - 1 - q] - a[(q + 1) % n])

-- Both parameters have the same initial array.
entry both [n] (xs: [n]i64) (k: i64): ([n]i64, [n]i64) =
  loop (a, b) = (xs, xs) for i < k do
    (tabulate n (\j -> b[(j + 1) % n] + i), tabulate n (\j -> a[n - 1 - j] * 2))

-- Both parameters receive the new array.
entry twice [n] (xs: [n]i64) (k: i64): ([n]i64, [n]i64) =
  loop (a, b) = (xs, xs) for i < k do
    let c = tabulate n (\j -> a[(j + 1) % n] + b[n - 1 - j] * i)
    in (c, c)

-- In each thread of a map.
entry points [n] (xs: [n]i64) (k: i64): [n]i64 =
  map (\x ->
         let ys = loop ys = xs for i < k do tabulate n (\j -> ys[(j + 1) % n] * x + i)
         let zs = loop zs = ys for i < x do tabulate n (\j -> zs[(j + 1) % n] - ys[j] + i)
         in i64.sum zs)
      xs
