-- Outside of its module, an abstract type can only be used through the functions of the module.
-- ==
-- input { 3 4 }
-- output { 25 [25, 25] }

module complex: {
  type t
  val make: i32 -> i32 -> t
  val times: t -> t -> t
  val norm: t -> i32
} = {
  type t = (i32, i32)
  def make (re: i32) (im: i32): t = (re, im)
  def times (a: t) (b: t): t = (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
  def norm (a: t): i32 = a.0 * a.0 + a.1 * a.1
}

entry main (x: i32) (y: i32): (i32, [2]i32) =
  let one: complex.t = complex.make 1 0
  let z = complex.times one (complex.make x y)
  let zs = replicate 2 z
  in (complex.norm z, map complex.norm zs)
