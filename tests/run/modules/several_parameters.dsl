-- Parametric modules with several parameters, where later ones mention earlier ones.
-- ==
-- input { 4 }
-- output { 14i64 }

module type has_type = { type t }

module compose
  (A: has_type)
  (B: has_type)
  (F: { val f: A.t -> B.t })
  (G: { val g: B.t -> B.t -> B.t }) = {
  def run (x: A.t): B.t = G.g (F.f x) (F.f x)
}

module m =
  compose { type t = i32 } { type t = i64 }
    { def f (x: i32): i64 = i64.i32 x + 3 }
    { def g (x: i64) (y: i64): i64 = x + y }

entry main (x: i32): i64 = m.run x
