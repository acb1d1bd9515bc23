-- A type of a module is named through the module. The innermost declaration of a name is used.
-- ==
-- input { 2 }
-- output { 3i64 2.5 5 }

type t = i32

module m = {
  type t = i64
  def next (x: t): t = x + 1
  module inner = {
    type t = f64
    def half (x: t): t = x + 0.5
  }
  type innermost = inner.t
}

def add (x: t): t = x + 3

entry main (x: t): (m.t, m.innermost, i32) = (m.next (i64.i32 x), m.inner.half (f64.i32 x), add x)
