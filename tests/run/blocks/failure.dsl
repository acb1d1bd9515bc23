-- A failure inside a block. The failure of the first block is reported, and in it that of the first operation.

-- ==
-- entry: looked_up
-- input { [[0i64, 1], [1, 0]] [7i32, 8] }
-- output { [[7i32, 15], [8, 15]] }
-- input { [[0i64, 1], [1, 2], [3, 0]] [7i32, 8] }
-- error: ^Index \[2\] out of bounds for array of shape \[2\]
entry looked_up [n] [m] [k] (iss: [n][m]i64) (xs: [k]i32): [n][m]i32 =
  #[flattening(block)] map (\is -> scan (+) 0 (map (\i -> xs[i]) is)) iss

-- ==
-- entry: checked
-- input { [[1i32, 2], [3, 4]] }
-- output { [[1i32, 3], [3, 7]] }
-- input { [[1i32, 2], [-3, 4], [-5, 1]] }
-- error: ^Assertion is false: \(least > 0\)
entry checked [n] [m] (xss: [n][m]i32): [n][m]i32 =
  #[flattening(block)] map (\xs ->
    let sums = scan (+) 0 xs
    let least = i32.minimum sums
    in assert (least > 0) sums) xss

-- The second operation of the first block fails before the first one of the second block.

-- ==
-- entry: divided
-- input { [[4i32, 2], [9, 3]] [0i64, 0] }
-- output { [[3i32, 9], [1, 5]] }
-- input { [[4i32, 2], [0, 3]] [1i64, 0] }
-- error: ^Index \[2\] out of bounds for array of shape \[2\]
-- input { [[4i32, 2], [0, 3]] [0i64, 1] }
-- error: ^division by zero
entry divided [n] [m] (xss: [n][m]i32) (is: [n]i64): [n][m]i32 =
  #[flattening(block)] map2 (\xs i ->
    let sums = scan (+) 0 (map (12 /) xs)
    in map (\j -> sums[i + j]) (iota m)) xss is

-- An operator that fails, in a loop and under a branch.

-- ==
-- entry: limited
-- input { [[1i32, 2], [3, 4]] 1i64 }
-- output { [[1i32, 3], [3, 7]] }
-- input { [[1i32, 2], [3, 4]] 2i64 }
-- error: ^Assertion is false: \(a \+ b < 10\)
entry limited [n] [m] (xss: [n][m]i32) (times: i64): [n][m]i32 =
  let add a b = assert (a + b < 10) (a + b)
  in #[flattening(block)] map (\xs -> loop xs for _i < times do if xs[0] > 0 then scan add 0 xs else xs) xss
