module type number = { type t val zero: t val add: t -> t -> t }

module m: number = {
  def zero: i32 = 0
  def add (x: i32) (y: i32): i32 = x + y
}
