-- Every form of pattern in a `case`. The first case that matches is taken.
-- ==
-- entry: integers
-- input { [0, 1, -1, 16, 7] }
-- output { [10, 11, 9, 26, 0] }
-- entry: floats
-- input { [0.5, -1.0, 3.0, 0.0] }
-- output { [1, 2, 0, 3] }
-- entry: bools
-- input { true false }
-- output { 2 }
-- input { false false }
-- output { 4 }
-- entry: characters
-- input { 97 }
-- output { 1 }
-- input { 10 }
-- output { 2 }
-- input { 98 }
-- output { 0 }
-- entry: tuples
-- input { 0 0 }
-- output { 0 }
-- input { 0 5 }
-- output { 5 }
-- input { 3 0 }
-- output { 3 }
-- input { 3 4 }
-- output { 12 }
-- entry: records
-- input { 1 2 }
-- output { 2 }
-- input { 5 2 }
-- output { 7 }
-- entry: first_fit
-- input { 3 }
-- output { 1 }
-- entry: ascribed
-- input { 3 }
-- output { 4 }
-- entry: unit
-- input { 3 }
-- output { 3 }
-- entry: attributed
-- input { 3 }
-- output { 3 }
-- entry: in_a_match
-- input { 1 1 }
-- output { 11 }
-- input { 1 5 }
-- output { 10 }
-- input { 2 1 }
-- output { 0 }
-- entry: arrays
-- input { [1, 2, 3] }
-- output { 3i64 }
-- entry: suffixed
-- input { 5i64 2.5f32 }
-- output { true }
-- input { 5i64 2.0f32 }
-- output { false }

entry integers [n] (xs: [n]i32): [n]i32 =
  map (\x -> match x
             case 0 -> 10
             case 1 -> 11
             case -1 -> 9
             case 0x10 -> 26
             case _ -> 0) xs

entry floats [n] (xs: [n]f64): [n]i32 =
  map (\x -> match x case 0.5 -> 1 case -1.0 -> 2 case 0 -> 3 case _ -> 0) xs

entry bools (a: bool) (b: bool): i32 =
  match (a, b)
  case (true, true) -> 1
  case (true, false) -> 2
  case (false, true) -> 3
  case (false, false) -> 4

entry characters (code: i32): i32 =
  match code
  case 'a' -> 1
  case '\n' -> 2
  case _ -> 0

entry tuples (x: i32) (y: i32): i32 =
  match (x, y)
  case (0, b) -> b
  case (a, 0) -> a
  case (a, b) -> a * b

entry records (x: i32) (y: i32): i32 =
  match {x, p = {y}}
  case {x = 1, p} -> p.y
  case {x, p = {y}} -> x + y

entry first_fit (x: i32): i32 =
  match (x, x)
  case (3, _) -> 1
  case (_, 3) -> 2
  case _ -> 3

entry ascribed (x: i32): i32 =
  match (x, true)
  case (y: i32, true: bool) -> y + 1
  case (_, _): (i32, bool) -> 0

entry unit (x: i32): i32 = match () case () -> x

entry attributed (x: i32): i32 = match x case #[likely] y -> y

entry in_a_match (x: i32) (y: i32): i32 =
  match x
  case 1 -> (match y
             case 1 -> 11
             case _ -> 10)
  case _ -> 0

entry arrays (xs: []i32): i64 =
  match (xs, 0i32)
  case (ys, 0) -> length ys
  case _ -> 0

entry suffixed (x: i64) (y: f32): bool =
  match (x, y)
  case (5i64, 2.5f32) -> true
  case _ -> false
