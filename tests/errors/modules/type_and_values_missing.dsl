module type counter = {
  type t
  val zero: t
  val next: t -> t
  val count: t -> i64
  module step: { val by: i64 }
}
module m: counter = {
  def count (x: i32): i32 = x
}
