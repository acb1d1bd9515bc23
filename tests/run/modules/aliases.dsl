-- A module may have several names.
-- ==
-- input { 9.0 }
-- output { 3.0 3.0 }

module real = f64
module m = { module inner = real }
module root = m.inner

entry main (x: f64): (f64, f64) = (real.sqrt x, root.sqrt x)
