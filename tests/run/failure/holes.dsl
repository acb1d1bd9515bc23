-- A hole fails only when it is evaluated.
-- ==
-- entry: scalar
-- input { 1 } output { 1 }
-- input { -1 } error: hole
-- entry: array
-- input { true 2i64 } output { [0i64, 1i64] }
-- input { false 2i64 } error: hole
-- entry: record
-- input { 1 } output { 1 }
-- input { 0 } error: hole

entry scalar (x: i32): i32 = if x > 0 then x else ???

entry array (b: bool) (n: i64): [n]i64 = if b then iota n else ???

entry record (x: i32): i32 =
  let r: {a: i32, b: [2]f32} = if x > 0 then {a = x, b = [0, 1]} else ???
  in r.a
