-- `open` brings the names of a module into scope, and adds them to the enclosing module.
-- ==
-- input { 4.0 3 }
-- output { 2.0 6 6 9 }

module m = {
  def triple (x: i32): i32 = 3 * x
  def double (x: i32): i32 = x + x
}

open f64

module n = {
  open m
  def sextuple (x: i32): i32 = double (triple x)
}

local open { def hidden (x: i32): i32 = n.double x }

open n

entry main (x: f64) (k: i32): (f64, i32, i32, i32) = (sqrt x, hidden k, n.double k, triple k)
