-- A type that a module type defines is known outside.
-- ==
-- input { 20 }
-- output { 41 }

module m: { type t = i32 val double: t -> t } = {
  type t = i32
  def double (x: i32): i32 = 2 * x
}

entry main (x: i32): m.t = m.double x + 1
