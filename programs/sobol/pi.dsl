-- | Pi by quasi-Monte-Carlo: the share of the first n two-dimensional Sobol points that lie in
-- the unit quarter circle.
-- ==
-- entry: main
-- input { 1000 }
-- output { 3.144 }
-- input { 16000 }
-- output { 3.14375 }
-- input { 0 }
-- error: Assertion is false: .n > 0

-- ==
-- entry: main_f32
-- input { 1000 }
-- output { 3.144f32 }

import "sobol"

-- | The plane: its second dimension has the primitive polynomial z + 1 and the initial number 1.
module plane_directions: sobol_directions = {
  def dimensions = 2i64
  def polynomials = [1, 3] :> [dimensions]u32
  def words = 1i64
  def initial = [1] :> [words]u32
}

module plane = Sobol plane_directions { def D = 2i64 }

-- | The functions of a real type that the estimate needs.
module type real = {
  type t
  val i64: i64 -> t
  val u32: u32 -> t
  val f64: f64 -> t
  val (+): t -> t -> t
  val (*): t -> t -> t
  val (/): t -> t -> t
  val (<): t -> t -> bool
}

-- | The estimate in any precision.
module estimate (R: real) = {
  def in_circle (point: [2]u32): bool =
    let unit (x: u32) = R.(u32 x / f64 plane.norm)
    let (x, y) = (unit point[0], unit point[1])
    in R.(x * x + y * y < i64 1)

  def pi (n: i64): R.t =
    let hits = i64.sum (map (\i -> i64.bool (in_circle (plane.independent i :> [2]u32))) (iota n))
    let n = assert (n > 0) n
    in R.(i64 4 * i64 hits / i64 n)
}

module double: real with t = f64 = { open f64 type t = f64 }
module single: real with t = f32 = { open f32 type t = f32 }
module in_f64 = estimate double
module in_f32 = estimate single

entry main (n: i32): f64 = in_f64.pi (i64.i32 n)

-- | In single precision.
entry main_f32 (n: i32): f32 = in_f32.pi (i64.i32 n)
