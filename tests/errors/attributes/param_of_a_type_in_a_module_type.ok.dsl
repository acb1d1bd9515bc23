module type sized = { type size  val size: size }
module m: sized with size = i64 = { type size = i64  #[param(tile)] def size: i64 = 16 }
entry main (x: i64): i64 = x * m.size
