-- Consumption as declared by a module type.
-- ==
-- input { [1, 2, 3] }
-- output { [9, 2, 3] }

module m: {
  val put [n]: *[n]i32 -> i32 -> *[n]i32
  val keep [n]: *[n]i32 -> *[n]i32
} = {
  def put [n] (xs: *[n]i32) (x: i32): *[n]i32 = xs with [0] = x
  def keep [n] (xs: [n]i32): *[n]i32 = copy xs
}

entry main [n] (xs: [n]i32): [n]i32 = m.put (m.keep (copy xs)) 9
