-- scatter and filter.
-- ==
-- entry: spread
-- input { [1, 2, 3] [-1i64, -1i64] [7, 8] }
-- output { [1, 2, 3] }
-- input { [0, 0, 0, 0] [2i64, 0i64, -1i64, 9i64] [7, 8, 9, 10] }
-- output { [8, 0, 7, 0] }
-- entry: positive
-- input { [3, -1, 0, 5] }
-- output { [3, 5] 2i64 }
-- input { [-3, -1] }
-- output { empty([0]i32) 0i64 }
-- input { empty([0]i32) }
-- output { empty([0]i32) 0i64 }
-- entry: inverse
-- input { [2i64, 0i64, 1i64] }
-- output { [1i64, 2i64, 0i64] }
-- entry: even
-- input { 100000i64 }
-- output { 50000i64 99998i64 }

entry spread [n] [m] (to: *[n]i32) (is: [m]i64) (xs: [m]i32): [n]i32 = scatter to is xs

entry positive [n] (xs: [n]i32): ([]i32, i64) =
  let ys = filter (> 0) xs
  in (ys, length ys)

entry inverse [n] (permutation: [n]i64): [n]i64 =
  scatter (replicate n 0) permutation (iota n)

entry even (n: i64): (i64, i64) =
  let evens = filter (\i -> i % 2 == 0) (iota n)
  in (length evens, evens[length evens - 1])
