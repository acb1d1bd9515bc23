-- A hole may be a function or contain functions. It can be passed on, and fails when it is called.
-- ==
-- entry: applied
-- input { 1 } output { 1 }
-- input { -1 } error: hole
-- entry: mapped
-- input { [1, 2] } error: hole
-- entry: of_two
-- input { 1 } output { 3 }
-- input { -1 } error: hole
-- entry: sized
-- input { 3i64 } error: hole
-- entry: fields
-- input { 1 } output { 2 }
-- input { -1 } error: hole
-- entry: inner
-- input { true } output { 1 }
-- input { false } error: hole

entry applied (x: i32): i32 = if x > 0 then x else ??? x

entry mapped [n] (xs: [n]i32): [n]i32 = map ??? xs

def missing (x: i32): i32 -> i32 = ???

entry of_two (x: i32): i32 = if x > 0 then x + 2 else missing x 2

entry sized (n: i64): [n]i64 =
  let make: (k: i64) -> [k]i64 = ???
  in make n

entry fields (x: i32): i32 =
  if x > 0
  then x + x
  else let r: {double: i32 -> i32, half: (i32 -> i32, i32)} = ???
       in r.double x + r.half.0 x

entry inner (b: bool): i32 =
  let f _ = ???
  in if b then 1 else f true false
