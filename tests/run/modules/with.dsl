-- `with` defines an abstract type of a module type.
-- ==
-- input { 20 2.5 }
-- output { 40 5.0 [2, 4] }

module type number = { type t val double: t -> t }
module type vector = { type t [n] 'a val twice [n]: t [n] i32 -> t [n] i32 }

module i: number with t = i32 = { type t = i32 def double (x: t): t = x + x }
module f: (number with t = f64) = { type t = f64 def double (x: t): t = x + x }
module v: vector with t [n] 'a = [n]a = { type t [n] 'a = [n]a def twice [n] (xs: [n]i32): [n]i32 = map (* 2) xs }

entry main (x: i32) (y: f64): (i32, f64, []i32) = (i.double x, f.double y, v.twice [1, 2])
