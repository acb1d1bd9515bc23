-- Perfectly nested maps over a matrix: on a GPU they are one segment of two dimensions, on a CPU
-- the inner map is a loop.
-- ==
-- input { [1f32, 2f32] [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]] }
-- output { [[2f32, 3f32, 4f32], [9f32, 11f32, 13f32]] }
entry main [n] [m] (ks: [n]f32) (xss: [n][m]f32): [n][m]f32 =
  map2 (\k xs -> map (\x -> k * x + 1) xs) ks xss
