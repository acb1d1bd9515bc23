-- Powers of special values, in both types: what IEEE 754 requires of `pow`.
-- ==
-- entry: in_f64
-- input { [-1.0, -1.0, -1.0, 1.0, 1.0, 0.5, 0.5, -2.0, -2.0, -0.0, -0.0, -0.0, 0.0, -f64.inf, -f64.inf, f64.inf, -8.0, f64.nan, f64.nan, 2.0, 1.0] [f64.inf, -f64.inf, 3.0, f64.inf, -f64.inf, f64.inf, -f64.inf, f64.inf, -f64.inf, 3.0, -3.0, -2.0, 2.5, 3.0, -3.0, 0.5, 0.5, 0.0, 1.0, f64.nan, f64.nan] }
-- output { [1.0, 1.0, -1.0, 1.0, 1.0, 0.0, f64.inf, f64.inf, 0.0, -0.0, -f64.inf, f64.inf, 0.0, -f64.inf, -0.0, f64.inf, f64.nan, 1.0, f64.nan, f64.nan, 1.0] }
-- entry: in_f32
-- input { [-1.0f32, -1.0f32, -1.0f32, 1.0f32, 1.0f32, 0.5f32, 0.5f32, -2.0f32, -2.0f32, -0.0f32, -0.0f32, -0.0f32, 0.0f32, -f32.inf, -f32.inf, f32.inf, -8.0f32, f32.nan, f32.nan, 2.0f32, 1.0f32] [f32.inf, -f32.inf, 3.0f32, f32.inf, -f32.inf, f32.inf, -f32.inf, f32.inf, -f32.inf, 3.0f32, -3.0f32, -2.0f32, 2.5f32, 3.0f32, -3.0f32, 0.5f32, 0.5f32, 0.0f32, 1.0f32, f32.nan, f32.nan] }
-- output { [1.0f32, 1.0f32, -1.0f32, 1.0f32, 1.0f32, 0.0f32, f32.inf, f32.inf, 0.0f32, -0.0f32, -f32.inf, f32.inf, 0.0f32, -f32.inf, -0.0f32, f32.inf, f32.nan, 1.0f32, f32.nan, f32.nan, 1.0f32] }

entry in_f64 [n] (xs: [n]f64) (ys: [n]f64): [n]f64 = map2 (**) xs ys
entry in_f32 [n] (xs: [n]f32) (ys: [n]f32): [n]f32 = map2 (**) xs ys
