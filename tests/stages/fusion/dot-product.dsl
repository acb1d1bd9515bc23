-- A map and a reduction become one construct, one segment, one kernel.
-- ==
-- input { [1f32, 2f32] [3f32, 4f32] }

entry main [n] (xs: [n]f32) (ys: [n]f32): f32 = reduce (+) 0 (map2 (*) xs ys)
