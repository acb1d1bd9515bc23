-- Results of a `match`: scalars, arrays of different sizes, tuples, updates, in threads and in loops.
-- ==
-- entry: sizes
-- input { 0 [1, 2] }
-- output { [1, 2] 2i64 }
-- input { 1 [1, 2] }
-- output { [0i32] 1i64 }
-- input { 2 [1, 2] }
-- output { [0, 1, 2] 3i64 }
-- entry: same_size
-- input { 1 [1, 2] }
-- output { [2, 4] }
-- entry: several
-- input { 2 }
-- output { 4 false }
-- entry: subject_of_a_call
-- input { [5, 6] }
-- output { 5 }
-- input { empty([0]i32) }
-- output { 0 }
-- entry: consumed
-- input { 0 [1, 2] }
-- output { [9, 2] }
-- input { 1 [1, 2] }
-- output { [1, 2] }
-- entry: lazily
-- input { 0i64 [1, 2] }
-- output { 1 }
-- input { 9i64 [1, 2] }
-- output { -1 }
-- entry: condition
-- input { 10 }
-- output { 5 }
-- entry: chosen
-- input { [0, 1, 2] }
-- output { [1.0, 2.0, 4.0] }
-- entry: known
-- input { 3 }
-- output { 6 }
-- entry: operand
-- input { 3 }
-- output { 11 }

entry sizes (x: i32) (xs: []i32): ([]i32, i64) =
  let ys = match x
           case 0 -> xs
           case 1 -> [0]
           case _ -> map i32.i64 (iota (length xs + 1))
  in (ys, length ys)

entry same_size [n] (x: i32) (xs: [n]i32): [n]i32 =
  match x case 0 -> xs case k -> map (* (k + 1)) xs

entry several (x: i32): (i32, bool) =
  match x
  case 1 -> (x, true)
  case y -> (y * 2, false)

def head_or_none (xs: []i32): #some i32 | #none = if length xs == 0 then #none else #some xs[0]

entry subject_of_a_call (xs: []i32): i32 =
  match head_or_none xs
  case #some x -> x
  case #none -> 0

entry consumed (x: i32) (xs: *[]i32): []i32 =
  match x
  case 0 -> xs with [0] = 9
  case _ -> xs

-- Only the case that matches is evaluated.
entry lazily (i: i64) (xs: []i32): i32 =
  match i < length xs
  case true -> xs[i]
  case false -> -1

entry condition (n: i32): i32 =
  loop i = 0 while (match i * 2 < n case true -> true case false -> false) do i + 1

entry chosen [n] (xs: [n]i32): [n]f64 =
  map (\x -> match x case 0 -> 1.0 case 1 -> 2.0 case _ -> f64.i32 (x * x)) xs

-- A match on a known value needs no branch.
entry known (x: i32): i32 =
  match (#two: #one | #two)
  case #one -> x
  case #two -> 2 * x

entry operand (x: i32): i32 =
  1 + (match x case 3 -> 10 case _ -> 20)
