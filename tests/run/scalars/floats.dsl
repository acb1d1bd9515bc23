-- IEEE floating point: NaN, infinities and signed zeros behave on every backend.
-- ==
-- entry: special32
-- input { 0f32 }
-- output { true false true true f32.inf f32.nan }
-- entry: special64
-- input { 0f64 }
-- output { true false true true f64.inf f64.nan }
-- entry: signed_zero
-- input { 0f32 }
-- output { -f32.inf f32.inf }
-- entry: extremes
-- input { f32.nan 2f32 }
-- output { 2f32 2f32 }
-- input { 3f32 2f32 }
-- output { 2f32 3f32 }
-- entry: equal_extremes
-- input { 0f32 }
-- output { f32.inf -f32.inf f32.inf -f32.inf }
-- entry: roots
-- input { [4f64, 2f64, 0f64] }
-- output { [2f64, 1.4142135623730951f64, 0f64] }
-- entry: rounding
-- input { [-2.5f64, -1.5f64, 0.5f64, 2.5f64] }
-- output { [-3f64, -2f64, 0f64, 2f64] [-2f64, -1f64, 1f64, 3f64] [-2f64, -2f64, 0f64, 2f64] [-2f64, -1f64, 0f64, 2f64] }
-- entry: exponentials
-- input { [0f32, 1f32, -2f32] }
-- output { [1f32, 2.7182817f32, 0.13533528f32] }

entry special32 (zero: f32): (bool, bool, bool, bool, f32, f32) =
  let inf = 1 / zero
  let nan = zero / zero
  in (nan != nan, nan == nan, inf - inf != 0, f32.isnan (inf - inf), inf, nan)

entry special64 (zero: f64): (bool, bool, bool, bool, f64, f64) =
  let inf = 1 / zero
  let nan = zero / zero
  in (nan != nan, nan == nan, inf - inf != 0, f64.isnan (inf - inf), inf, nan)

entry signed_zero (zero: f32): (f32, f32) = (1 / (-zero), 1 / zero)

entry extremes (x: f32) (y: f32): (f32, f32) = (f32.min x y, f32.max x y)

-- The minimum and maximum of two zeros is the first.
entry equal_extremes (zero: f32): (f32, f32, f32, f32) =
  ( 1 / f32.min zero (-zero), 1 / f32.min (-zero) zero
  , 1 / f32.max zero (-zero), 1 / f32.max (-zero) zero )

entry roots [n] (xs: [n]f64): [n]f64 = map f64.sqrt xs

entry rounding [n] (xs: [n]f64): ([n]f64, [n]f64, [n]f64, [n]f64) =
  (map f64.floor xs, map f64.ceil xs, map f64.round xs, map f64.trunc xs)

entry exponentials [n] (xs: [n]f32): [n]f32 = map f32.exp xs
