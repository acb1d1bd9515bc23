-- A parametric module may be ascribed a less general type.
-- ==
-- input { 1 }
-- output { 4 }

module type value = { val x: i32 val y: i32 }
module type adder = value -> { val f: i32 -> i32 }

module add: adder = \(V: { val x: i32 }) -> { def f (k: i32): i32 = k + V.x def hidden: i32 = 0 }

module m = add { def x: i32 = 3 def y: i32 = 4 }

entry main (k: i32): i32 = m.f k
