-- Values of sum types as loop-carried values, as results of branches, and as arguments and results of entry points.
-- ==
-- entry: machine
-- input { 5 }
-- output { 2 }
-- entry: found
-- input { [4, 7, 9] 7 }
-- output { 1i64 }
-- input { [4, 7, 9] 8 }
-- output { -1i64 }
-- entry: equal
-- input { 1 1 }
-- output { true true }
-- input { 1 2 }
-- output { false true }
-- entry: unequal_kinds
-- input { 1 }
-- output { false true }
-- entry: functions
-- input { 3 true }
-- output { 4 }
-- input { 3 false }
-- output { 9 }
-- entry: result
-- input { 0 }
-- output { 0 0 }
-- input { 9 }
-- output { 1 9 }
-- entry: parameter
-- input { 1 9 }
-- output { 10 }
-- input { 0 0 }
-- output { 0 }
-- entry: folded
-- input { [1, 2, 3] }
-- output { 6 }
-- entry: updated_payload
-- input { [1, 2, 3] }
-- output { [9, 2, 3] }
-- entry: same_payloads
-- input { 1 }
-- output { false }

entry machine (n: i32): i32 =
  let last =
    loop state: #start | #odd i32 | #even i32 = #start for i < n do
      match state
      case #start -> #even 0
      case #odd k -> #even (k + i % 2)
      case #even k -> #odd (k + i % 2)
  in match last case #start -> -1 case #odd k -> k case #even k -> k

entry found (xs: []i32) (x: i32): i64 =
  let position = loop at: #some i64 | #none = #none for i < length xs do
    match at
    case #some _ -> at
    case #none -> if xs[i] == x then #some i else #none
  in match position case #some i -> i case #none -> -1

entry equal (x: i32) (y: i32): (bool, bool) =
  let a: #a i32 | #b = #a x
  in (a == #a y, a != #b)

entry unequal_kinds (x: i32): (bool, bool) =
  let none: #a i32 | #b i32 = #b x
  in (none == #a x, none == #b x)

-- A sum type may contain functions as long as no run-time choice between them is needed.
entry functions (x: i32) (b: bool): i32 =
  let apply (f: #once (i32 -> i32) | #twice (i32 -> i32)): i32 =
    match f
    case #once g -> g x
    case #twice g -> g (g x)
  in if b then apply (#once (+ 1)) else apply (#twice (+ 3))

entry result (x: i32): #none | #some i32 = if x == 0 then #none else #some x

entry parameter (o: #none | #some i32): i32 = match o case #none -> 0 case #some x -> x + 1

entry folded [n] (xs: [n]i32): i32 =
  let step (acc: #sum i32 | #empty) (x: i32): #sum i32 | #empty =
    match acc case #sum s -> #sum (s + x) case #empty -> #sum x
  in match (loop acc = #empty for x in xs do step acc x) case #sum s -> s case #empty -> 0

entry updated_payload [n] (xs: *[n]i32): [n]i32 =
  let o: #full [n]i32 | #empty = #full xs
  in match o
     case #full ys -> ys with [0] = 9
     case #empty -> replicate n 0

entry same_payloads (x: i32): bool =
  let a: #left i32 | #right i32 = #left x
  let b: #left i32 | #right i32 = #right x
  in a == b
