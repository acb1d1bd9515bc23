module m: { type t val make: i64 -> *t val update: *t -> *t val sum: t -> i64 } = {
  type t = [3]i64
  def make (x: i64): *t = replicate 3 x
  def update (x: *t): *t = x with [0] = 1
  def sum (x: t) = i64.sum x
}
def c: m.t = m.make 3
entry main = m.sum (m.update c)
