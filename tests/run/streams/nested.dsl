-- Streams inside maps, loops, branches and streams: the result does not depend on the chunks.
-- ==
-- entry: sums_of_rows
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [12, 30] }
-- input { empty([2][0]i32) }
-- output { [0, 0] }
-- entry: rows_mapped
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [[2, 4, 6], [8, 10, 12]] }
-- input { empty([2][0]i32) }
-- output { empty([2][0]i32) }
-- entry: in_a_loop
-- input { 3 [1, 2, 3] }
-- output { [8, 16, 24] }
-- entry: in_a_branch
-- input { true [1, 2] }
-- output { 3 }
-- input { false [1, 2] }
-- output { 2 }
-- entry: in_each_other
-- input { 2500i64 }
-- output { 3123750i64 }
-- entry: counts_of_rows
-- input { [[0i64, 1i64, 1i64], [2i64, 2i64, 2i64]] }
-- output { [[1, 2, 0], [0, 0, 3]] }

entry sums_of_rows [n] [m] (xss: [n][m]i32): [n]i32 =
  map (\xs -> stream_red (+) (\k (ys: [k]i32) -> reduce (+) 0 (map (2 *) ys)) xs) xss

entry rows_mapped [n] [m] (xss: [n][m]i32): [n][m]i32 =
  map (\xs -> stream_map (\k (ys: [k]i32) -> map (\y -> assert (k > 0) (2 * y)) ys) xs) xss

entry in_a_loop [n] (rounds: i32) (xs: [n]i32): [n]i32 =
  loop ys = xs for _i < rounds do stream_map (\k (zs: [k]i32) -> map (2 *) zs) ys

entry in_a_branch [n] (wanted: bool) (xs: [n]i32): i32 =
  if wanted then stream_red (+) (\k (ys: [k]i32) -> reduce (+) 0 ys) xs else i32.i64 n

entry in_each_other (n: i64): i64 =
  stream_red (+)
             (\k (is: [k]i64) ->
                let js = stream_map (\l (ks: [l]i64) -> map (\i -> i + i) ks) is
                in stream_red (+) (\l (ks: [l]i64) -> reduce (+) 0 ks / 2) js)
             (iota n)

entry counts_of_rows [n] [m] (xss: [n][m]i64): [n][3]i32 =
  let count [k] (is: [k]i64): [3]i32 =
    loop counts = replicate 3 0 for i in is do counts with [i] = counts[i] + 1
  in map (\xs -> stream_red (map2 (+)) (\k (ys: [k]i64) -> count ys) xs) xss
