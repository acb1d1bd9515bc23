-- A parametric module may be written as a module expression.
-- ==
-- input { 3 }
-- output { 13 9 }

module add = \(V: { val x: i32 }) -> { def f (k: i32): i32 = k + V.x }
module square = \(V: { val x: i32 }): ({ val f: i32 -> i32 }) -> { def f (k: i32): i32 = k * V.x def g: i32 = 1 }

module ten = add { def x: i32 = 10 }
module three = square { def x: i32 = 3 }

entry main (k: i32): (i32, i32) = (ten.f k, three.f k)
