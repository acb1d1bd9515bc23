-- A size that a module computes from an abstract type is the same size for the module and for its users, through
-- parametric modules and nested ones.

module type sized = { type t  val size: t -> i64  val make: (x: t) -> [size x]i64 }
module doubled: sized = { type t = i64  def size (x: t) = x * 2  def make (x: t): []i64 = iota (size x) }

module use (m: sized) = {
  def twice (x: m.t): [m.size x]i64 = map2 (+) (m.make x) (m.make x)
  module inner: sized = { type t = m.t  def size (x: t) = m.size x + 1  def make (x: t): [size x]i64 = iota (size x) }
  def sum (x: inner.t): [inner.size x]i64 = map2 (+) (inner.make x) (inner.make x)
}
module used = use doubled

module type source = { include sized  val x: t }
module whole (s: source) = {
  def outside (x: s.t): [s.size x]i64 = s.make x
  module u = use s
  def both = map2 (+) (u.twice s.x) (outside s.x)
}
module two = whole { type t = i64  def size (x: t) = x + 1  def make (x: t): [size x]i64 = iota (size x)  def x = 2i64 }

def doubled_of (x: doubled.t): [doubled.size x]i64 = doubled.make x
def inner_of (x: used.inner.t) = map2 (+) (used.inner.make x) (used.sum x)

-- ==
-- input { 2i64 } output { [0i64, 3, 6] 0i64 }
entry main (_: i64) = (copy two.both, length (filter (< 0) two.both))
