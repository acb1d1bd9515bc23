-- A map, a loop of maps, and a sum become one reduction. Each element runs all iterations of the loop
-- on its own.
-- ==
-- input { 2i64 [1.0, 2.0, 3.0] } output { 7.5 }

entry main [n] (k: i64) (xs: [n]f64): f64 =
  let ys = map (* 3) xs
  let zs = loop ys for i < k do map (\y -> y * 0.5 + f64.i64 i) ys
  in f64.sum zs
