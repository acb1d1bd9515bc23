module m: { type t val make: i32 -> t val get: t -> i32 } = {
  type t = i32
  def make (x: i32): t = x
  def get (x: t): i32 = x
}

def f (x: i32): i32 = m.make x + 1
