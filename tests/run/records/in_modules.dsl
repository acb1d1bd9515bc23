-- A name with dots leads through modules to a value, and from there through its fields.
-- ==
-- entry: fields
-- input { 1 } output { 8 }
-- entry: components
-- input { 1 } output { 12 }
-- entry: sizes
-- input { [1, 2] } output { 2i64 }
-- entry: parameter
-- input { 10 } output { 23 }

module m = {
  def r = {x = 1i32, y = {z = 2i32}}
  module inner = { def pair = (3i32, {four = 4i32}) def n = {value = 2i64} }
}

entry fields (x: i32): i32 = m.r.x + m.r.y.z + x + m.inner.pair.1.four

entry components (x: i32): i32 = m.inner.pair.0 * m.inner.pair.1.four * x

entry sizes (xs: [m.inner.n.value]i32): i64 = length xs

module by (p: { val step: {by: i32, twice: bool} }) = {
  def add (x: i32): i32 = x + p.step.by + (if p.step.twice then p.step.by else 0)
}

module three = by { def step = {by = 13i32, twice = false} }

entry parameter (x: i32): i32 = three.add x
