-- Rows of all short lengths: in lanes, the last strip of a row may begin with points of the strip before it. A point that
-- reads what it stores must run once.
-- ==
-- entry: rows
-- input { 70i64 }
-- output { true }

-- ==
-- entry: in_place
-- input { 70i64 }
-- output { true }

-- ==
-- entry: points
-- input { 70i64 }
-- output { true }

-- ==
-- entry: failing
-- input { 40i64 39i64 }
-- output { 0.0 }
-- input { 40i64 3i64 }
-- error: Index \[3\] out of bounds for array of shape \[3\]
-- input { 29i64 24i64 }
-- error: Index \[24\] out of bounds for array of shape \[24\]

-- | Steps of a smoothing over rows that grow by one element each; every step reads the row of the step before.
def smoothed [n] (row: [n]f64): [n]f64 =
  loop xs = row for _i < 5 do
    map (\i -> if i == 0 || i == n - 1 then xs[i] else (xs[i - 1] + 2 * xs[i] + xs[i + 1]) * 0.25) (iota n)

-- | The same, element by element.
def smoothed_slowly [n] (row: [n]f64): [n]f64 =
  loop xs = row for _i < 5 do
    loop ys = copy xs for i < n - 2 do ys with [i + 1] = (xs[i] + 2 * xs[i + 1] + xs[i + 2]) * 0.25

def row (n: i64): [n]f64 = map (\i -> f64.i64 ((i * 37 + n * 11) % 101)) (iota n)

entry rows (n: i64): bool =
  let same (k: i64) = and (map2 (==) (smoothed (row (k + 2))) (smoothed_slowly (row (k + 2))))
  in all same (iota n)

-- | Each element is replaced by a number that depends on it. The elements before the last round decide whether there is one,
-- so that the rounds stay apart.
def halved [n] (rounds: i64) (xs: *[n]f64): *[n]f64 =
  let (ys, _) =
    loop (ys, i) = (xs, 0) while i < rounds && ys[(i * 7) % n] >= 0 do (map (\y -> f64.sqrt (y * y / 4 + 1)) ys, i + 1)
  in ys

def halved_slowly [n] (rounds: i64) (xs: [n]f64): [n]f64 =
  map (\x -> loop y = x for _i < rounds do f64.sqrt (y * y / 4 + 1)) xs

entry in_place (n: i64): bool =
  loop ok = true for k < n do
    let xs = row (k + 1)
    in ok && and (map2 (==) (halved (k % 4) (copy xs)) (halved_slowly (k % 4) xs))

-- | The points of a segment, for all numbers of points.
entry points (n: i64): bool =
  let xs = row n
  in (loop ok = true for k < n do
        let part = take k xs
        let ys = map (\x -> if x > 50 then f64.sqrt x else x * x) part
        let zs = map (\y -> y + 1) (copy ys)
        in ok && and (map3 (\x y z -> y == (if x > 50 then f64.sqrt x else x * x) && z == y + 1) part ys zs))

-- | Reads an array that is shorter than the row.
entry failing (n: i64) (m: i64): f64 =
  let short = row m
  let ys = loop xs = row n for _i < 2 do map (\i -> if i < n - 1 || n < 40 then xs[i] + short[i] else xs[i]) (iota n)
  in if n == 40 && m == 39 then f64.sum ys - f64.sum ys else f64.sum ys
