-- `local` declarations are visible only in their module.
-- ==
-- input { 5 }
-- output { 26 }

module m = {
  local def square (x: i32): i32 = x * x
  local type t = i32
  local module hidden = { def one: t = 1 }
  def f (x: t): t = square x + hidden.one
}

def square (x: i32): i32 = -x

entry main (x: i32): i32 = m.f x
