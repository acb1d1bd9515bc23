-- The result of a parametric parameter has abstract types, which are known when the argument is given.
-- ==
-- input { 5 }
-- output { 36 }

module type ty = { type t }
module type box = { type elem type t val put: elem -> t val get: t -> elem }
module type mk_box = (E: ty) -> box with elem = E.t

module use (Mk: mk_box) (E: { type t val next: t -> t }) = {
  module B = Mk E
  type boxed = B.t
  def step (b: boxed): boxed = B.put (E.next (B.get b))
  def run (x: E.t): E.t = B.get (step (step (B.put x)))
}

module pair_box (E: ty) = {
  type elem = E.t
  type t = (E.t, E.t)
  def put (x: elem): t = (x, x)
  def get (b: t): elem = b.1
}

module u = use pair_box { type t = i32 def next (x: i32): i32 = 2 * x + 4 - 1 + 0 }

entry main (x: i32): i32 = u.run x + 7
