-- Module types are members of modules and have their own name space.
-- ==
-- input { 4 }
-- output { 5 }

module m = { module type m = { val m: i32 } module type t = { include m val k: i32 } }
module type m = { val f: i32 -> i32 }

module n: m.t = { def m: i32 = 1 def k: i32 = 2 }
module f: m = { def f (x: i32): i32 = x + n.m }

entry main (x: i32): i32 = f.f x
