-- Odd functions return -0 for -0. The reciprocal distinguishes -0 from 0.
-- ==
-- entry: in_f64 in_f32
-- input { 1000i64 }
-- output { true true }

-- | The functions that return a zero unchanged.
module odd (R: float) = {
  def functions (x: R.t): [15]R.t =
    [R.sin x, R.tan x, R.asin x, R.atan x, R.sinh x, R.tanh x, R.asinh x, R.atanh x, R.cbrt x, R.sqrt x,
     R.log1p x, R.erf x, R.sinpi x, R.tanpi x, R.atan2 x (R.i64 1)]

  -- | The signs of the results at -0 and at 0, in many threads.
  def main (n: i64): (bool, bool) =
    let below = R.(neg inf)
    let zero (i: i64): R.t = if i % 2 == 0 then R.neg (R.i64 0) else R.i64 0
    let is_kept (i: i64) (y: R.t): bool =
      (R.i64 1 R./ y) R.== (if i % 2 == 0 then below else R.inf)
    let kept = map (\i -> map (is_kept i) (functions (zero i))) (iota n)
    in (and (map (\row -> and row) kept), n > 0)
}

module double = odd f64
module single = odd f32

entry in_f64 (n: i64): (bool, bool) = double.main n
entry in_f32 (n: i64): (bool, bool) = single.main n
