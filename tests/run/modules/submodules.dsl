-- Module types may specify submodules, whose types later specifications use.
-- ==
-- input { 2 }
-- output { 7 }

module type outer = {
  module inner: { type t val make: i32 -> t }
  val get: inner.t -> i32
}

module m: outer = {
  module inner = { type t = (i32, i32) def make (x: i32): t = (x, x + 3) def hidden: i32 = 0 }
  def get (x: inner.t): i32 = x.0 + x.1
}

entry main (x: i32): i32 = m.get (m.inner.make x)
