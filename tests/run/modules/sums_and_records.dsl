-- Abstract types that are defined as records and sum types, in a parametric module.
-- ==
-- input { 3 }
-- output { 7 0 3 }

module options (T: { type t val zero: t }): {
  type option
  type point = { x: T.t, y: T.t }
  val some: T.t -> option
  val none: option
  val get: option -> T.t
  val diagonal: T.t -> point
} = {
  type option = #some T.t | #none
  type point = { x: T.t, y: T.t }
  def some (x: T.t): option = #some x
  def none: option = #none
  def get (o: option): T.t = match o case #some x -> x case #none -> T.zero
  def diagonal (x: T.t): point = { x, y = x }
}

module o = options { type t = i32 def zero: t = 0 }

def get_or (x: i32) (a: o.option): i32 = o.get a + x

entry main (x: i32): (i32, i32, i32) = (get_or 4 (o.some x), o.get o.none, (o.diagonal x).y)
