-- A function of the prelude that Futhark does not have, at the top level and in a module.
module sums (N: { type t val zero: t val (+): t -> t -> t }) = {
  def sum [n] (xs: [n]N.t): N.t = stream_red (N.+) (\k (ys: [k]N.t) -> reduce (N.+) N.zero ys) xs
}
module longs = sums { type t = i64 def zero = 0i64 def (+) = (i64.+) }
module ints = sums { type t = i32 def zero = 0i32 def (+) = (i32.+) }
entry main (xs: []i64) (ys: []i32): (i64, i32) = (longs.sum xs, ints.sum ys)
