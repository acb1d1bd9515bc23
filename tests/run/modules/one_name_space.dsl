-- Values and modules share a name space, and the later declaration shadows the earlier one. Types have their own.
-- ==
-- input { 7 }
-- output { 8 7 }

module m = {
  module x = { def y: i32 = 1 }
  def a: i32 = x.y
  type a = i32
}

open m
local open { def m (k: i32): i32 = k }

entry main (k: i32): (a, a) = (k + a, m k)
