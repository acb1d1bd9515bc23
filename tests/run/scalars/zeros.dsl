-- The sign of zero: adding 0 to -0 gives 0, and so does subtracting -0 from 0. A device that omits the
-- addition keeps the sign.
-- ==
-- entry: single
-- input { [1.5f32, 0.0f32, -0.0f32] }
-- output { [false, false, false] [false, false, false] [true, false, false] [false, true, false] [false, false, true] }
entry single (xs: []f32) =
  let negative x = f32.to_bits x >> 31 == 1
  in ( map (\x -> negative (x + 0)) xs
     , map (\x -> negative (0 + x)) xs
     , map (\x -> negative (0 - x)) xs
     , map (\x -> negative (-x)) (map (\x -> if x > 0 then -x else x) xs)
     , map (\x -> negative (x - 0)) xs )

-- ==
-- entry: double
-- input { [1.5, 0.0, -0.0] }
-- output { [false, false, false] [false, false, false] [true, false, false] [false, false, true] [false, false, false] }
entry double (xs: []f64) =
  let negative x = f64.to_bits x >> 63 == 1
  in ( map (\x -> negative (x + 0)) xs
     , map (\x -> negative (0 + x)) xs
     , map (\x -> negative (0 - x)) xs
     , map (\x -> negative (x - 0)) xs
     , map (\x -> negative (x - (-0.0))) xs )

-- ==
-- entry: nothing_else
-- input { [f64.inf, -f64.inf, f64.nan, 1e-310] } output { [f64.inf, -f64.inf, f64.nan, 1e-310] [-f64.inf, f64.inf, f64.nan, -1e-310] }
entry nothing_else (xs: []f64) = (map (+ 0) xs, map (0 -) xs)
