-- A map fused into a scatter: each value is written to its position without an array of values.
-- ==
-- input { [0, 0, 0] [2i64, 0i64] [1, 2] }

entry main [n] [m] (to: *[n]i32) (is: [m]i64) (xs: [m]i32): [n]i32 = scatter to is (map (* 10) xs)
