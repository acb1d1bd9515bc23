-- All threads of a block take the same branch, whose sides contain parallel operations.

-- ==
-- entry: either
-- input { [[1i32, -2, 3], [4, -5, -6], [0, 0, 0]] }
-- output { [[1i32, -1, 2], [16, 25, 36], [0, 0, 0]] }
entry either [n] [m] (xss: [n][m]i32): [n][m]i32 =
  #[flattening(block)] map (\xs ->
    if i32.sum xs >= 0 then scan (+) 0 xs else map (\x -> x * x) xs) xss

-- One side leaves the array unchanged, and the branch is in a loop.

-- ==
-- entry: halved
-- input { [[16i32, 8], [3, 4], [40, 0]] 2i64 }
-- output { [[4i32, 2], [3, 4], [10, 0]] }
entry halved [n] [m] (xss: [n][m]i32) (rounds: i64): [n][m]i32 =
  #[flattening(block)] map (\xs ->
    loop xs for _i < rounds do if i32.sum xs > 9 then map (/ 2) xs else xs) xss
