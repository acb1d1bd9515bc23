-- `open` brings types, module types and modules, too.
-- ==
-- input { 4 }
-- output { 10 }

module lib = {
  type t = i32
  module type value = { val x: t }
  module one = { def x: t = 1 }
  module add (V: value) = { def f (k: t): t = k + V.x }
}

open lib

module two: value = { def x: t = one.x + 1 }
module a = add two
module b = lib.add { def x: lib.t = 4 }

entry main (k: t): t = a.f (b.f k)
