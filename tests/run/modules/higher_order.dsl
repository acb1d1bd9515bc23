-- A parametric module as the parameter of another.
-- ==
-- input { 5 }
-- output { 20 25 }

module type value = { type t val x: t }
module type maker = (V: value with t = i32) -> { val f: i32 -> i32 }

module twice (M: maker) (V: value with t = i32) = {
  module m = M V
  def f (k: i32): i32 = m.f (m.f k)
}

module add (V: { val x: i32 }) = { def f (k: i32): i32 = k + V.x def more: i32 = V.x }
module mul (V: value with t = i32) = { def f (k: i32): i32 = k * V.x / 4 * 2 / 4 }

module n = { type t = i32 def x: t = 10 }
module t = twice add { type t = i32 def x: t = 10 }
module u = twice add n

entry main (k: i32): (i32, i32) = (t.f k - 5, u.f k)
