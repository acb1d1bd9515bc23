-- A type of the enclosing module may be shadowed without changing earlier declarations that use it.
-- ==
-- input { 4 }
-- output { 4 true }

type t = i32

module m: { type t val yes: t val is: t -> bool val int: i32 -> i32 } = {
  def int (x: t): t = x
  type t = bool
  def yes: t = true
  def is (x: t): bool = x
}

entry main (x: t): (t, bool) = (m.int x, m.is m.yes)
