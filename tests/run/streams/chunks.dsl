-- Operations inside a chunk: arrays of its size and of other sizes, scans, filters, loops.
-- ==
-- entry: differences
-- input { 3000i64 }
-- output { true }
-- entry: evens
-- input { 3001i64 }
-- output { 1501i64 }
-- entry: longest
-- input { [1, 1, 2, 2, 2, 1, 1, 1, 1, 3] }
-- output { 4 }
-- entry: one_more
-- input { 2000i64 }
-- output { 2031i64 }
-- entry: table
-- input { 200i64 }
-- output { 39800i64 }
-- entry: local_array
-- input { 300i64 }
-- output { true }
-- entry: failing
-- input { [1, 2, 3, 4, 5, 6, 7] 7i64 }
-- output { [1, 2, 3, 4, 5, 6, 7] }
-- input { [1, 2, 3, 4, 5, 6, 7] 4i64 }
-- error: Index \[4\] out of bounds for array of shape \[4\]
-- entry: failing_assertion
-- input { [1, 2, -3, 4] }
-- error: chunks.dsl:83
-- input { [1, 2, 3, 4] }
-- output { 10 }

-- A scan that begins again in each chunk.
entry differences (n: i64): bool =
  let ones = stream_map (\k (is: [k]i64) ->
                           let sums = scan (+) 0 is
                           in map (\i -> if i == 0 then sums[0] else sums[i] - sums[i - 1]) (iota k))
                        (replicate n 1)
  in all (== 1) ones

entry evens (n: i64): i64 =
  stream_red (+) (\k (is: [k]i64) -> length (filter (\i -> i % 2 == 0) is)) (iota n)

-- The longest run of equal elements. A chunk returns its first and last run, its longest run, and its ends.
entry longest [n] (xs: [n]i32): i32 =
  let combine (a: [6]i32) (b: [6]i32): [6]i32 =
    if a[3] == 0 then b else if b[3] == 0 then a else
    let joined = a[5] == b[4]
    let first = if joined && a[0] == a[3] then a[0] + b[0] else a[0]
    let last = if joined && b[1] == b[3] then a[1] + b[1] else b[1]
    let most = i32.max (i32.max a[2] b[2]) (if joined then a[1] + b[0] else 0)
    in [first, last, most, a[3] + b[3], a[4], b[5]]
  let runs [k] (ys: [k]i32): [6]i32 =
    loop acc = [0, 0, 0, 0, 0, 0] for y in ys do combine acc [1, 1, 1, 1, y, y]
  in (stream_red combine (\k (ys: [k]i32) -> runs ys) xs)[2]

-- An array with one element more than the chunk.
entry one_more (n: i64): i64 =
  let longer = stream_map (\k (is: [k]i64) -> let js = scan (+) 0 (iota (k + 1)) in map (\i -> js[k] - js[k] + i) is)
                          (iota n)
  in last longer + 32

-- An array with twice as many elements, and one with as many rows.
entry table (n: i64): i64 =
  stream_red (+)
             (\k (is: [k]i64) ->
                let twice = iota (2 * k)
                let table = map (\i -> map (* i) [1, 1]) is
                in reduce (+) 0 (map (\i -> table[i, 0] + table[i, 1] + twice[i] - twice[i]) (iota k)))
             (iota n)

entry local_array (n: i64): bool =
  let reversed_twice [k] (is: [k]i64): [k]i64 =
    let turn (js: *[k]i64): *[k]i64 =
      loop js for i < k / 2 do let (a, b) = (js[i], js[k - 1 - i]) in js with [i] = b with [k - 1 - i] = a
    in turn (turn (copy is))
  in all id (map2 (==) (stream_map (\k (is: [k]i64) -> reversed_twice is) (iota n)) (iota n))

entry failing [n] (xs: [n]i32) (m: i64): [n]i32 =
  let ys = xs[:m]
  in stream_map (\k (is: [k]i64) -> map (\i -> ys[i]) is) (iota n)

entry failing_assertion [n] (xs: [n]i32): i32 =
  stream_red (+) (\k (ys: [k]i32) -> reduce (+) 0 (map (\y -> assert (y > 0) y) ys)) xs
