-- Values of sum types: constructed, matched, bound to variables, passed to and returned from functions.
-- ==
-- entry: option
-- input { 4 2 }
-- output { 2 }
-- input { 4 0 }
-- output { -1 }
-- entry: several_payloads
-- input { 0 }
-- output { 1.0 }
-- input { 1 }
-- output { 6.0 }
-- input { 2 }
-- output { 24.0 }
-- entry: enumeration
-- input { 0 }
-- output { 1 }
-- input { 3 }
-- output { 0 }
-- entry: nested
-- input { 5 }
-- output { 6 }
-- input { -5 }
-- output { 5 }
-- input { 0 }
-- output { 100 }
-- entry: polymorphic
-- input { 3 true }
-- output { 3 true }
-- entry: record_payload
-- input { 2.0 }
-- output { 12.0 }
-- entry: tuple_payload
-- input { 1 2 }
-- output { 3 }
-- entry: only
-- input { 7 }
-- output { 8 }

def divide (x: i32) (y: i32): (#some i32 | #none) = if y == 0 then #none else #some (x / y)

entry option (x: i32) (y: i32): i32 = match divide x y case #some z -> z case #none -> -1

entry several_payloads (n: i32): f64 =
  let shape: #dot | #box f64 f64 | #block f64 f64 f64 =
    if n == 0 then #dot else if n == 1 then #box 2 3 else #block 2 3 4
  in match shape
     case #dot -> 1
     case #box w h -> w * h
     case #block w h d -> w * h * d

def turn (way: #north | #east | #south | #west): #north | #east | #south | #west =
  match way
  case #north -> #east
  case #east -> #south
  case #south -> #west
  case #west -> #north

entry enumeration (n: i32): i32 =
  let way = match n case 0 -> #north case 1 -> #east case 2 -> #south case _ -> #west
  in match turn way case #north -> 0 case #east -> 1 case #south -> 2 case #west -> 3

def sign (x: i32): (#number (#positive i32 | #negative i32) | #zero) =
  if x == 0 then #zero else #number (if x > 0 then #positive x else #negative (-x))

entry nested (x: i32): i32 =
  match sign x
  case #number (#positive y) -> y + 1
  case #number (#negative y) -> y
  case #zero -> 100

def with_default 'a (x: a) (o: #some a | #none): a = match o case #some y -> y case #none -> x

entry polymorphic (x: i32) (b: bool): (i32, bool) =
  (with_default 0 (#some x), with_default b #none)

entry record_payload (x: f64): f64 =
  let p: #flat {x: f64, y: f64} | #deep {x: f64, y: f64, z: f64} = #deep {x, y = x, z = x + 1}
  in match p
     case #flat {x, y} -> x * y
     case #deep {x, y, z} -> x * y * z

entry tuple_payload (x: i32) (y: i32): i32 =
  let p: #pair (i32, i32) | #one i32 = #pair (x, y)
  in match p case #pair (a, b) -> a + b case #one a -> a

entry only (x: i32): i32 =
  let wrapped: #wrapped i32 = #wrapped x
  let #wrapped y = wrapped
  let f (#wrapped z: #wrapped i32) = z + 1
  in f (#wrapped y)
