-- An entry point may be defined by a function. It has all parameters of that function.
-- ==
-- entry: sum_of
-- input { [1, 2, 3] }
-- output { 6 }

-- ==
-- entry: weighted
-- input { 2 [1, 2, 3] }
-- output { [3, 4, 5] }

module m = {
  def total [n] (xs: [n]i32): i32 = reduce (+) 0 xs
}

entry sum_of = m.total

entry weighted [n] (k: i32): [n]i32 -> [n]i32 = map (+ k)
