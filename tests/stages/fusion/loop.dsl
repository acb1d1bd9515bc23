-- A map, a loop that does nothing but map, and a sum are one reduction, in which each element goes through
-- all rounds by itself.
-- ==
-- input { 2i64 [1.0, 2.0, 3.0] } output { 7.5 }

entry main [n] (k: i64) (xs: [n]f64): f64 =
  let ys = map (* 3) xs
  let zs = loop ys for i < k do map (\y -> y * 0.5 + f64.i64 i) ys
  in f64.sum zs
