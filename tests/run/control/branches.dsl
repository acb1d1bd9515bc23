-- Branches over scalars and arrays, on the host and in threads.
-- ==
-- entry: sign
-- input { [-5, 0, 5] }
-- output { [-1, 0, 1] }
-- entry: choose
-- input { true [1, 2] [3, 4] }
-- output { [1, 2] }
-- input { false [1, 2] [3, 4] }
-- output { [6, 8] }
-- entry: sized
-- input { true 2i64 }
-- output { [0i64, 1i64] }
-- input { false 2i64 }
-- output { [0i64, 1i64, 2i64, 3i64] }
-- entry: guarded
-- input { [1, 2] 5i64 }
-- output { -1 }
-- input { [1, 2] 1i64 }
-- output { 2 }

entry sign [n] (xs: [n]i32): [n]i32 =
  map (\x -> if x < 0 then -1 else if x > 0 then 1 else 0) xs

entry choose [n] (c: bool) (xs: [n]i32) (ys: [n]i32): [n]i32 =
  if c then xs else map (* 2) ys

entry sized (c: bool) (n: i64): []i64 = if c then iota n else iota (2 * n)

entry guarded [n] (xs: [n]i32) (i: i64): i32 = if i < n && xs[i] > 0 then xs[i] else -1
