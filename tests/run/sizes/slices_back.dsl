-- A slice with stride -1 and a written start and end has a known size.
-- ==
-- entry: back
-- input { [1, 2, 3, 4] 3i64 1i64 } output { [4, 3] }
-- input { [1, 2, 3, 4] 2i64 2i64 } output { empty([0]i32) }
-- input { [1, 2, 3, 4] 1i64 3i64 } error: out of bounds
-- input { [1, 2, 3, 4] 4i64 1i64 } error: out of bounds
entry back [n] (xs: [n]i32) (m: i64) (k: i64): [m - k]i32 = xs[m:k:-1]

-- ==
-- entry: crossed
-- input { [1, 2, 3, 4] 3i64 1i64 } output { [6, 6] }
entry crossed [n] (xs: [n]i32) (m: i64) (k: i64) = map2 (+) xs[m:k:-1] (xs[k:m] :> [m - k]i32)
