-- A stream in the code of a workgroup is one chunk, whose operations are inner segments.

-- ==
-- entry: sums
-- input { [[1i32, 2, -9], [4, -5, 6], [7, 8, 9]] }
-- output { [-12i32, 10, 48] }
-- input { empty([2][0]i32) }
-- output { [0i32, 0] }
entry sums [n] [m] (xss: [n][m]i32): [n]i32 =
  #[flattening(block)] map (\xs -> stream_red (+) (\k (ys: [k]i32) -> i32.sum (map (\y -> 2 * y) ys)) xs) xss

-- ==
-- entry: running
-- input { [[1i32, 2, -9], [4, -5, 6]] }
-- output { [[2i32, 3, -8], [5, -4, 7]] }
entry running [n] [m] (xss: [n][m]i32): [n][m]i32 =
  #[flattening(block)] map (\xs -> stream_map (\k (ys: [k]i32) -> map (\y -> y + 1) ys) xs) xss
