-- stream_red: the values of the chunks are combined in order.
-- ==
-- entry: sum
-- input { [1, 2, 3, 4, 5, 6, 7] }
-- output { 28 }
-- input { empty([0]i32) }
-- output { 0 }
-- entry: many
-- input { 100000i64 }
-- output { 4999950000i64 }
-- input { 1024i64 }
-- output { 523776i64 }
-- entry: ends
-- input { 5000i64 }
-- output { 0i64 4999i64 5000i64 }
-- entry: dot
-- input { [1.0, 2.0, 3.0] [4.0, 5.0, 6.0] }
-- output { 32.0 }
-- entry: histogram
-- input { 4003i64 }
-- output { [1001i64, 1001i64, 1001i64, 1000i64] }
-- input { 0i64 }
-- output { [0i64, 0i64, 0i64, 0i64] }
-- entry: fibonacci
-- input { 3000i64 }
-- output { 993652896i32 }
-- entry: mean
-- input { [1.0, 2.0, 6.0] }
-- output { 3.0 }
-- entry: extremes
-- input { [3, 1, 2] }
-- output { 1 3 [6, 4, 5] }
-- input { empty([0]i32) }
-- output { 2147483647 -2147483648 empty([0]i32) }
-- structure { stream 2 }
-- entry: many_extremes
-- input { 5000i64 }
-- output { true }
-- structure { stream 1 }
-- entry: captured_result
-- input { 0i64 [1, 2] }
-- output { [5, 2] [1, 2] }
-- input { 300i64 [1, 2] }
-- output { [5, 2] [1, 2] }

entry sum [n] (xs: [n]i32): i32 = stream_red (+) (\k (ys: [k]i32) -> reduce (+) 0 ys) xs

entry many (n: i64): i64 = stream_red (+) (\k (is: [k]i64) -> reduce (+) 0 is) (iota n)

-- The first and the last element, and the number of elements.
entry ends (n: i64): (i64, i64, i64) =
  stream_red (\(a, _, i) (_, d, j) -> (a, d, i + j)) (\k (is: [k]i64) -> (is[0], is[k - 1], k)) (iota n)

entry dot [n] (xs: [n]f64) (ys: [n]f64): f64 =
  stream_red (+) (\k (xys: [k](f64, f64)) -> reduce (+) 0 (map (\(x, y) -> x * y) xys)) (zip xs ys)

entry histogram (n: i64): [4]i64 =
  let count [k] (is: [k]i64): [4]i64 =
    loop counts = replicate 4 0 for i in is do counts with [i % 4] = counts[i % 4] + 1
  in stream_red (map2 (+)) (\k (is: [k]i64) -> count is) (iota n)

-- Products of matrices do not commute.
entry fibonacci (n: i64): i32 =
  let times (a: [2][2]i32) (b: [2][2]i32): [2][2]i32 =
    map (\row -> map (\column -> reduce (+) 0 (map2 (*) row column)) (transpose b)) a
  let step = [[1, 1], [1, 0]]
  let power = stream_red times
                         (\k (is: [k]i64) -> loop m = [[1, 0], [0, 1]] for _i in is do times m step)
                         (iota n)
  in power[0, 1]

entry mean [n] (xs: [n]f64): f64 =
  let (total, count) =
    stream_red (\(a, i) (b, j) -> (a + b, i + j)) (\k (ys: [k]f64) -> (reduce (+) 0 ys, f64.i64 k)) xs
  in total / count

-- Two reductions over one array are one stream. A stream that only maps has no empty chunk, and is not fused with them.
entry extremes [n] (xs: [n]i32): (i32, i32, [n]i32) =
  (stream_red i32.min (\k (ys: [k]i32) -> i32.minimum ys) xs,
   stream_red i32.max (\k (ys: [k]i32) -> i32.maximum ys) xs,
   stream_map (\k (ys: [k]i32) -> map (+ (3 + 0 * ys[0])) ys) xs)

entry many_extremes (n: i64): bool =
  let xs = map (\i -> i * 7919 % 5003) (iota n)
  let least = stream_red i64.min (\k (ys: [k]i64) -> i64.minimum ys) xs
  let (most, count) = stream_red (\(a, i) (b, j) -> (i64.max a b, i + j)) (\k (ys: [k]i64) -> (i64.maximum ys, k)) xs
  in least == i64.minimum xs && most == i64.maximum xs && count == n

entry captured_result (n: i64) (xs: [2]i32): ([2]i32, [2]i32) =
  let ys = copy (stream_red (\_ ys -> ys) (\k (_: [k]i64) -> xs) (iota n))
  in (ys with [0] = 5, xs)
