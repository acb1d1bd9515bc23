-- Local declarations and abstract types inside a parametric module.
-- ==
-- input { 3 }
-- output { 17 }

module mk (P: { val k: i32 }) = {
  local module hidden: { type t val wrap: i32 -> t val unwrap: t -> i32 } = {
    type t = (i32, i32)
    def wrap (x: i32): t = (x, P.k)
    def unwrap (x: t): i32 = x.0 * x.1
  }
  type t = hidden.t
  local def base: i32 = 5
  def make (x: i32): t = hidden.wrap x
  def total (x: t): i32 = hidden.unwrap x + base
}

module m = mk { def k: i32 = 4 }

entry main (x: i32): i32 = m.total (m.make x)
