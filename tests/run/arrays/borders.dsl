-- Points whose conditions, clamps and checks depend on the borders of their index space.

-- Neighbours, with the element itself at the borders.
-- ==
-- entry: neighbours
-- input { empty([0]i64) } output { empty([0]i64) }
-- input { [5i64] } output { [5i64] }
-- input { [5i64, 7i64] } output { [5i64, 7i64] }
-- input { [1i64, 2i64, 4i64, 8i64, 16i64, 32i64, 64i64, 128i64, 256i64, 512i64, 1024i64, 2048i64, 4096i64, 8192i64, 16384i64, 32768i64, 65536i64, 131072i64] }
-- output { [1i64, 5i64, 10i64, 20i64, 40i64, 80i64, 160i64, 320i64, 640i64, 1280i64, 2560i64, 5120i64, 10240i64, 20480i64, 40960i64, 81920i64, 163840i64, 131072i64] }
entry neighbours [n] (xs: [n]i64): [n]i64 =
  tabulate n (\i -> if i == 0 || i == n - 1 then xs[i] else xs[i - 1] + xs[i + 1])

-- Two neighbours on each side, of which those outside are the nearest inside.
-- ==
-- entry: clamped
-- input { [9i32] } output { [36i32] }
-- input { [1i32, 10i32, 100i32] } output { [112i32, 202i32, 211i32] }
-- input { [1i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 2i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 3i32] }
-- output { [2i32, 2i32, 1i32, 0i32, 0i32, 0i32, 0i32, 2i32, 2i32, 0i32, 2i32, 2i32, 0i32, 0i32, 0i32, 0i32, 0i32, 3i32, 6i32, 6i32] }
entry clamped [n] (xs: [n]i32): [n]i32 =
  let at i = xs[i64.max 0 (i64.min i (n - 1))]
  in tabulate n (\i -> at (i - 2) + at (i - 1) + at (i + 1) + at (i + 2))

-- A border in the middle of a row, and one that differs from row to row.
-- ==
-- entry: halves
-- input { 3i64 20i64 7i64 }
-- output { [[0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, -7i64, -8i64, -9i64, -10i64, -11i64, -12i64, -13i64, -14i64, -15i64, -16i64, -17i64, -18i64, -19i64],
--           [0i64, 101i64, 2i64, 3i64, 4i64, 5i64, 6i64, -7i64, -8i64, -9i64, -10i64, -11i64, -12i64, -13i64, -14i64, -15i64, -16i64, -17i64, -18i64, -19i64],
--           [0i64, 1i64, 102i64, 3i64, 4i64, 5i64, 6i64, -7i64, -8i64, -9i64, -10i64, -11i64, -12i64, -13i64, -14i64, -15i64, -16i64, -17i64, -18i64, -19i64]] }
entry halves (n: i64) (m: i64) (middle: i64): [n][m]i64 =
  let xs = iota m
  let ys = map (+ 100) xs
  in tabulate_2d n m (\i j -> if j < middle then (if i == j && i > 0 then ys[j] else xs[j]) else -xs[j])

-- A check that fails at the last point only.
-- ==
-- entry: differences
-- input { [3i64] 0i64 } output { [3i64] }
-- input { [1i64, 4i64, 9i64, 16i64, 25i64, 36i64, 49i64, 64i64, 81i64, 100i64, 121i64, 144i64, 169i64, 196i64, 225i64, 256i64, 289i64] 0i64 }
-- output { [1i64, 3i64, 5i64, 7i64, 9i64, 11i64, 13i64, 15i64, 17i64, 19i64, 21i64, 23i64, 25i64, 27i64, 29i64, 31i64, 33i64] }
-- input { [1i64, 4i64, 9i64, 16i64, 25i64, 36i64, 49i64, 64i64, 81i64, 100i64, 121i64, 144i64, 169i64, 196i64, 225i64, 256i64, 289i64] 1i64 }
-- error: out of bounds
entry differences [n] (xs: [n]i64) (shift: i64): [n]i64 =
  tabulate n (\i -> if i == 0 then xs[shift] else xs[i + shift] - xs[i - 1])
