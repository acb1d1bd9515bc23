module type sized = { #[param(tile)] type size  val size: size }
module m: sized with size = i64 = { type size = i64  def size: i64 = 16 }
entry main (x: i64): i64 = x * m.size
