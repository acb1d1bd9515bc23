-- The conversions between i32 and the floating-point types that have names of their own.
-- ==
-- entry: from_i32
-- input { [0, -3, 16777217] }
-- output { [0f32, -3f32, 16777216f32] [0f64, -3f64, 16777217f64] }
entry from_i32 (xs: []i32) = (map r32 xs, map r64 xs)

-- ==
-- entry: to_i32
-- input { [0.5f32, -2.9f32, 7f32] [0.5f64, -2.9f64, 16777217.25f64] }
-- output { [0, -2, 7] [0, -2, 16777217] }
entry to_i32 (xs: []f32) (ys: []f64) = (map t32 xs, map t64 ys)
