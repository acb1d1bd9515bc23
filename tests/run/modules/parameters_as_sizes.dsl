-- A parameter's value as a size in the types of the parametric module.
-- ==
-- input { [1, 2, 3] }
-- output { [3, 4, 5] 3i64 }

module type config = { val n: i64 val by: i32 }

module vectors (C: config) = {
  type vector = [C.n]i32
  def add (v: vector): vector = map (+ C.by) v
  def zero: vector = replicate C.n 0
}

module v = vectors { def n: i64 = 3 def by: i32 = 2 }

entry main (xs: [3]i32): ([]i32, i64) = (v.add (xs :> v.vector), length v.zero)
