-- Each application of a parametric module has its own definitions.
-- ==
-- input { 1 }
-- output { 111 }

module type value = { val x: i32 }
module shift (V: value) = { def x: i32 = 10 * V.x def f (k: i32): i32 = k + x }

module a = { def x: i32 = 1 }
module b = shift a
module c = shift b

entry main (k: i32): i32 = c.f (b.f k)
