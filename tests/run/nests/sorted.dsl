-- Points with arrays of their own in loops: a CPU computes neighbours of like shape in lanes, and sorts the points before. The limits are
-- so low that it sorts few points with small arrays.

-- | A point: rounds over an array of its own.
def point (table: []f64) (w: i64) (t: i64) (x: f64): f64 =
  let first = map (\k -> x + f64.i64 k) (iota w)
  let last = loop xs = first for i < t do
               let mean = f64.sum xs / f64.i64 w
               in map2 (\k y -> y + table[(i + k) % length table] * mean) (iota w) xs
  in f64.sum last

-- ==
-- entry: values
-- input { [3i64, 1, 3, 2, 1, 3, 2, 3, 1, 2, 3] [2i64, 5, 2, 0, 4, 3, 1, 2, 5, 1, 1] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0] }
-- output { [10.010416666666668, 7.91015625, 20.020833333333336, 9.0, 15.8203125, 45.25542534722222, 20.625, 45.046875, 35.595703125, 28.875, 46.5] }
-- input { empty([0]i64) empty([0]i64) empty([0]f64) }
-- output { empty([0]f64) }
-- input { [0i64, 4] [3i64, 3] [1.0, 2.0] }
-- output { [0.0, 30.12939453125] }
entry values [n] (ws: [n]i64) (ts: [n]i64) (xs: [n]f64): [n]f64 =
  map3 (point [0.5, 0.25, 0.125]) ws ts xs

-- More points than are sorted at a time, and a sum that depends on their order.
-- ==
-- entry: many
-- input { 0i64 }
-- output { 0i64 }
-- input { 1i64 }
-- output { 1i64 }
-- input { 1024i64 }
-- output { 832521303i64 }
-- input { 2500i64 }
-- output { 5705413090i64 }
entry many (n: i64): i64 =
  let value (i: i64): i64 =
    let w = 1 + i * i % 7
    let xs = loop xs = map (+ i) (iota w) for j < i * 5 % 11 do map (\x -> (x * 3 + j + i64.sum xs) % 1009) xs
    in i64.sum xs + 1
  let values = map value (iota n)
  in i64.sum (map2 (*) values (map (+ 1) (iota n)))

-- Rounds of another type, rows of a matrix, and a nest in a branch.
-- ==
-- entry: rows
-- input { true [[1i32, 2, 3], [4, 5, 6], [7, 8, 9]] [2i32, 3, 2] [3i8, 1, 0] }
-- output { [279i32, 52i32, 44i32] }
-- input { false [[1i32, 2, 3], [4, 5, 6], [7, 8, 9]] [2i32, 3, 2] [3i8, 1, 0] }
-- output { [2i32, 3i32, 2i32] }
entry rows [n] [m] (c: bool) (xss: [n][m]i32) (ws: [n]i32) (ts: [n]i8): [n]i32 =
  if c
  then map3 (\xs w t ->
         let ys = loop ys = replicate (i64.i32 w) 1 for i < t do
                    let sum = i32.sum ys
                    in map (\y -> 3 * y + sum + i32.i8 i * xs[0]) ys
         in i32.sum ys + i32.sum xs + xs[2] * w + i32.i8 t) xss ws ts
  else ws

-- The first point that fails is reported, though a later one runs before it.
-- ==
-- entry: fails
-- input { [1i64, 2, 9, 8] [1i64, 2, 9, 8] [0i64, 0, 0, 0] }
-- output { [1i64, 2i64, 9i64, 8i64] }
-- input { [1i64, 2, 9, 8] [1i64, 2, 9, 8] [0i64, 5, 7, 0] }
-- error: Index \[5\] out of bounds for array of shape \[2\]
-- input { [1i64, 2, 9, 8] [1i64, 2, 9, 8] [0i64, 0, 10, 9] }
-- error: Index \[10\] out of bounds for array of shape \[9\]
entry fails [n] (ws: [n]i64) (ts: [n]i64) (ks: [n]i64): [n]i64 =
  map3 (\w t k ->
    let xs = loop xs = replicate w 1 for _i < t do
               let one = xs[k]
               in map (* one) xs
    in i64.sum xs) ws ts ks

-- An argument that the points read, and a call consumes.
-- ==
-- entry: consumed
-- input { [1i64, 2, 9, 8] [1i64, 2, 9, 8] [3i64, 5, 0, 0] }
-- error: Index \[3\] out of bounds for array of shape \[1\]
-- input { [1i64, 2, 9, 8] [1i64, 2, 9, 8] [0i64, 1, 0, 0] }
-- output { [8i64, 2i64, 9i64, 8i64] }
entry consumed [n] (ws: *[n]i64) (ts: [n]i64) (ks: [n]i64): *[n]i64 =
  let ws = ws with [0] = ws[0]
  let sums = map3 (\w t k ->
               let xs = loop xs = replicate w 1 for _i < t do
                          let one = xs[k]
                          in map (* one) xs
               in i64.sum xs) ws ts ks
  in ws with [0] = sums[n - 1]
