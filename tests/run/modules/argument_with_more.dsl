-- An argument may have more definitions than the parameter requires. The primitive modules are arguments too.
-- ==
-- input { 2.0 9 }
-- output { 8.0 3 }

module powers (N: { val (*): f64 -> f64 -> f64 }) = {
  def cube (x: f64): f64 = x N.* (x N.* x)
}

module roots (M: { val sqrt: f64 -> f64 }) = {
  def whole (k: i32): i32 = i32.f64 (M.sqrt (f64.i32 k))
}

module p = powers { def (*) (x: f64) (y: f64): f64 = x / (1 / y) def other: bool = true }
module r = roots f64

entry main (x: f64) (k: i32): (f64, i32) = (p.cube x, r.whole k)
