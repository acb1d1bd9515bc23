module mk (P: {}): { type t val make: i32 -> t val get: t -> i32 } = {
  type t = i32
  def make (x: i32): t = x
  def get (x: t): i32 = x
}

module a = mk {}
module b = a

def f (x: i32): i32 = b.get (a.make x)
