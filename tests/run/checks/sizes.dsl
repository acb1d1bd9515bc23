-- A number is a size because it was checked. Code that uses the number as a size depends on that check, even if
-- nothing else needs the check, or has a check of its own.
-- ==
-- entry: counted
-- input { [1, 2, 3] 1i64 } output { [1, 7, 3] }
-- input { [1, 2, 3] 3i64 } error: Index \[3\] out of bounds for array of shape \[3\]
-- input { [1, 2, 3] -1000000000i64 } error: Range 0..1..<-1000000000 is invalid

-- ==
-- entry: replicated
-- input { [1, 2, 3] 1i64 } output { 2 }
-- input { [1, 2, 3] 3i64 } output { 1 }
-- input { [1, 2, 3] -1000000000i64 } error: Range 0..1..<-1000000000 is invalid

-- ==
-- entry: stated
-- input { [1, 2, 3] 3i64 } output { 1 }
-- input { [1, 2, 3] -1000000000i64 } error: cannot match

-- ==
-- entry: given
-- input { [1, 2, 3] 1i64 [9] } output { 2 }
-- input { [1, 2, 3] 1i64 empty([0]i32) } error: cannot match
-- input { [1, 2, 3] -1000000000i64 empty([0]i32) } error: cannot match

-- ==
-- entry: carried
-- input { [1, 2, 3] 3i64 } output { 5 }
-- input { [1, 2, 3] 1i64 } error: Range 0..1..<-1 is invalid

-- ==
-- entry: behind
-- input { [1, 2, 3] } output { 3 }
-- input { empty([0]i32) } error: out of bounds for array of shape \[0\]

-- ==
-- entry: part_replaced
-- input { [1, 2, 3] 1i64 } output { [1, 7, 8] }
-- input { [1, 2, 3] -1000000000i64 } error: Range 0..1..<-1000000000 is invalid

-- ==
-- entry: strided
-- input { [1, 2, 3] 0i64 } output { 4 }
-- input { [1, 2, 3] -1000000000i64 } error: Range 0..1..<-1000000000 is invalid

-- ==
-- entry: in_twos
-- input { 2i64 } output { 1i64 }
-- input { -1i64 } error: Range 0..1..<-1 is invalid

-- ==
-- entry: in_a_loop
-- entry: in_a_map
-- entry: in_a_stream
-- input { [1, 2, 3] 1i64 } output { 8 }
-- input { [1, 2, 3] -1000000000i64 } error: Range 0..1..<-1000000000 is invalid

entry counted [n] (xs: *[n]i32) (k: i64): [n]i32 = let _ = iota k in xs with [k] = 7

entry replicated [n] (xs: [n]i32) (k: i64): i32 = let _ = replicate k 0i64 in if k < n then xs[k] else 1

entry stated [n] (xs: [n]i32) (k: i64): i32 = let _ = xs :> [k]i32 in if k < 5 then (xs ++ xs)[k] else 1

entry given [m] (ys: [m]i32) (n: i64) (_: [n]i32): i32 = if n < m then ys[n] else 0

-- The size of the array in an iteration is the number in the merge parameter next to it.
entry carried [n] (xs: [n]i32) (k: i64): i32 =
  let (sum, _, _) =
    loop (sum, m, _: [m]i64) = (0, k, replicate k 0) for _i < 3i64 do
      (sum + (if m < n then xs[m] else 0), m - 1, replicate (m - 1) 0)
  in sum

entry behind [n] (xs: [n]i32): i32 = let rest = xs[1:] in xs[n - 1] + 0 * i32.sum rest

entry part_replaced [n] (xs: *[n]i32) (k: i64): [n]i32 = let _ = iota k in xs with [k:k + 2] = [7, 8]

entry strided [n] (xs: [n]i32) (k: i64): i32 = let _ = iota k in i32.sum xs[k:n:2]

entry in_twos (k: i64): i64 = let _ = replicate k 0i64 in if k < 3 then length (0..2..<k) else 9

entry in_a_loop [n] (xs: [n]i32) (k: i64): i32 =
  let (sum, _) =
    loop (sum, ys) = (0, replicate k 0) for _i < 4i64 do
      (sum + (if k < n then xs[k] else 1), ys with [0] = sum)
  in sum

entry in_a_map [n] (xs: [n]i32) (k: i64): i32 =
  let rows = replicate 4 (replicate k 0i64)
  in i32.sum (map (\_ -> if k < n then xs[k] else 1) rows)

entry in_a_stream [n] (xs: [n]i32) (k: i64): i32 =
  let rows = map (\i -> map (+ i) (iota k)) (iota 4)
  in stream_red (+) (\c (_: [c][k]i64) -> i32.i64 c * (if k < n then xs[k] else 1)) rows
