-- A size that a check returns together with an array of it, and that bounds the arrays of a thread.

-- ==
-- entry: tall
-- input { [5i64, 2, 1, 30, 2] 50i64 }
-- output { [17i32, 2, 1, 842, 2] }
entry tall [n] (ws: [n]i64) (m: i64): [n]i32 =
  map (\w ->
    let xs = map (\k -> i32.i64 (k * k)) (iota w)
    let past = loop past = replicate (w * m) 1i32 for i < w do past with [w * m - 1 - i] = xs[i]
    in past[w * m - w] + past[0]) ws
