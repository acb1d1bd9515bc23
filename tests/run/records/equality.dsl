-- Records are equal if all their fields are equal.
-- ==
-- entry: fields
-- input { 1 2 }
-- output { true false true }
-- entry: arrays
-- input { [1, 2] [1, 2] }
-- output { true }
-- input { [1, 2] [1, 3] }
-- output { false }
-- entry: nested
-- input { 1 1.0 }
-- output { true }
-- input { 1 2.0 }
-- output { false }
-- entry: of_records
-- input { [1, 2] [1, 2] }
-- output { true }
-- input { [1, 2] [1, 0] }
-- output { false }

entry fields (x: i32) (y: i32): (bool, bool, bool) =
  ({x, y} == {y, x}, {x, y} == {x, y = y + 1}, {x, y} != {x = y, y})

entry arrays [n] (xs: [n]i32) (ys: [n]i32): bool = {a = 1, xs} == {a = 1, xs = ys}

entry nested (x: i32) (y: f64): bool =
  {a = {x, y}, b = (x, true)} == {a = {x, y = 1}, b = (1, true)}

entry of_records [n] (xs: [n]i32) (ys: [n]i32): bool =
  map (\x -> {x}) xs == map (\y -> {x = y}) ys
