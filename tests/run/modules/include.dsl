-- `include` adds the specifications of another module type.
-- ==
-- input { 6 }
-- output { 19 }

module type basic = { type t val unit: t val to: t -> i32 }
module type full = { include basic val add: t -> t -> t }
module type integers = { include basic with t = i32 val from: i32 -> i32 }

module m: full = {
  type t = i32
  def unit: t = 7
  def to (x: t): i32 = x
  def add (x: t) (y: t): t = x + y
}

module n: integers = {
  open m
  type t = i32
  def unit: i32 = 1
  def to (x: i32): i32 = x
  def from (x: i32): i32 = x - 1
}

entry main (x: i32): i32 = m.to (m.add m.unit m.unit) + n.from x
