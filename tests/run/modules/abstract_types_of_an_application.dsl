-- A parametric module that applies another one to abstract types.
-- ==
-- input { 2 }
-- output { 24 }

module type ring = { type t val one: t val add: t -> t -> t val mul: t -> t -> t }

module pairs (R: ring): { include ring val from: R.t -> t val first: t -> R.t } = {
  type t = (R.t, R.t)
  def one: t = (R.one, R.one)
  def add (a: t) (b: t): t = (R.add a.0 b.0, R.add a.1 b.1)
  def mul (a: t) (b: t): t = (R.mul a.0 b.0, R.mul a.1 b.1)
  def from (x: R.t): t = (x, R.one)
  def first (a: t): R.t = a.0
}

module cubes (R: ring) = {
  module P = pairs R
  module Q = pairs P
  def cube (x: R.t): R.t =
    let y = Q.from (P.from x)
    in P.first (Q.first (Q.mul y (Q.mul y y)))
  def tripled (x: R.t): R.t = R.add x (R.add x x)
}

module c = cubes { type t = i32 def one: t = 1 def add (x: t) (y: t): t = x + y def mul (x: t) (y: t): t = x * y }

entry main (x: i32): i32 = c.tripled (c.cube x)
