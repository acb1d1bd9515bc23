-- The outer operation does more than map: a second construct combines the results of the blocks.

def peak [m] (xs: [m]i32): i32 = i32.maximum (scan (+) 0 xs)

-- ==
-- entry: total
-- input { [[1i32, 2, -9], [4, -5, 6], [7, 8, 9]] }
-- output { 32i32 }
entry total [n] [m] (xss: [n][m]i32): i32 = #[flattening(block)] i32.sum (map peak xss)

-- ==
-- entry: running
-- input { [[1i32, 2, -9], [4, -5, 6], [7, 8, 9]] }
-- output { [3i32, 8, 32] }
entry running [n] [m] (xss: [n][m]i32): [n]i32 = #[flattening(block)] scan (+) 0 (map peak xss)

-- ==
-- entry: placed
-- input { [[1i32, 2, -9], [4, -5, 6], [7, 8, 9]] [2i64, -1, 0] }
-- output { [24i32, 0, 3] [[1i32, 3, -6], [4, -1, 5], [7, 15, 24]] }
entry placed [n] [m] (xss: [n][m]i32) (is: [n]i64): ([n]i32, [n][m]i32) =
  let (peaks, sums) = unzip (#[flattening(block)] map (\xs -> let ss = scan (+) 0 xs in (i32.maximum ss, ss)) xss)
  in (scatter (replicate n 0) is peaks, sums)
