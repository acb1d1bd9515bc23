-- A local name shadows an exported one inside the module; users see the exported one.
-- ==
-- input { 5 }
-- output { 6 15 }

module base = { def f (x: i32): i32 = x + 1 }

module m = {
  open base
  local def f (x: i32): i32 = x + 10
  def g (x: i32): i32 = f x
}

entry main (x: i32): (i32, i32) = (m.f x, m.g x)
