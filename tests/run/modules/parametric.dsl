-- A parametric module, applied to several modules.
-- ==
-- input { 3 2.5 }
-- output { 12 10.0 }

module type number = {
  type t
  val add: t -> t -> t
}

module scale (N: number) = {
  def double (x: N.t): N.t = N.add x x
  def quadruple (x: N.t): N.t = double (double x)
}

module si = scale { type t = i32 def add (x: i32) (y: i32): i32 = x + y }
module sf = scale { type t = f64 def add (x: f64) (y: f64): f64 = x + y }

entry main (x: i32) (y: f64): (i32, f64) = (si.quadruple x, sf.quadruple y)
