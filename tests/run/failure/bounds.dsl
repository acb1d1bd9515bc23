-- The message for an index out of bounds names the index and the shape, in all kinds of code.
-- ==
-- entry: host
-- input { [1, 2, 3] 5i64 }
-- error: Index \[5\] out of bounds for array of shape \[3\]
-- input { [1, 2, 3] -1i64 }
-- error: Index \[-1\] out of bounds for array of shape \[3\]
-- input { [1, 2, 3] 2i64 }
-- output { 3 }
-- entry: thread
-- input { [1, 2, 3] [0i64, 7i64, 9i64] }
-- error: Index \[7\] out of bounds for array of shape \[3\]
-- input { [1, 2, 3] [2i64, 0i64] }
-- output { [3, 1] }
-- entry: plane
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 7i64 }
-- error: Index \[1, 7\] out of bounds for array of shape \[2\]\[3\]
-- entry: slice
-- input { [1, 2, 3] 1i64 9i64 }
-- error: out of bounds

entry host [n] (xs: [n]i32) (i: i64): i32 = xs[i]

entry thread [n] [m] (xs: [n]i32) (is: [m]i64): [m]i32 = map (\i -> xs[i]) is

entry plane [n] [m] (xss: [n][m]i32) (i: i64) (j: i64): i32 = xss[i, j]

entry slice [n] (xs: [n]i32) (i: i64) (j: i64): []i32 = xs[i:j]
