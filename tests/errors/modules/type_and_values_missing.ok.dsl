module type counter = {
  type t
  val zero: t
  val next: t -> t
  val count: t -> i64
  module step: { val by: i64 }
}
module m: counter = {
  type t = i64
  def zero: t = 0
  def next (x: t): t = x + 1
  def count (x: t): i64 = x
  module step = { def by: i64 = 1 }
}
