-- Abbreviations of records and sum types, with parameters.
-- ==
-- entry: option
-- input { 3 }
-- output { 4 2 }
-- entry: sized
-- input { [1, 2, 3] }
-- output { 6 }
-- input { [1, 2] }
-- output { 0 }
-- entry: dependent
-- input { 3i64 }
-- output { 3i64 3i64 }
-- entry: lifted
-- input { 3 }
-- output { 7 }
-- entry: result
-- input { 7 2 }
-- output { 3 -1 }
-- input { 7 0 }
-- output { -1 7 }
-- entry: list
-- input { [5, 0, 6] }
-- output { [6, -1, 7] }

type opt 'a = #some a | #none
type vec2 't = {x: t, y: t}
type^ function 'a 'b = {f: a -> b}
type result 'a 'e = #ok a | #error e

def map_opt 'a 'b (f: a -> b) (o: opt a): opt b =
  match o
  case #some x -> #some (f x)
  case #none -> #none

def or_else 'a (default: a) (o: opt a): a = match o case #some x -> x case #none -> default

entry option (x: i32): (i32, i32) =
  let t = ((x, x + 1), 2)
  in (t.0.1, or_else 0 (map_opt (\y -> y - 1) (#some x)))

def long [n] (xs: [n]i32): opt ([n]i32) = if n > 2 then #some xs else #none

entry sized (xs: []i32): i32 = match long xs case #some ys -> reduce (+) 0 ys case #none -> 0

entry dependent (n: i64): (i64, i64) =
  let r: {n: i64, xs: []i64} = {n, xs = iota n}
  in (r.n, length r.xs)

def apply 'a 'b (r: function a b) (x: a): b = r.f x

entry lifted (x: i32): i32 =
  let {x, y}: vec2 i32 = {x, y = x + 1}
  in apply {f = \(v: vec2 i32) -> v.x + v.y} {x, y}

def divide (x: i32) (y: i32): result i32 {dividend: i32} =
  if y == 0 then #error {dividend = x} else #ok (x / y)

entry result (x: i32) (y: i32): (i32, i32) =
  match divide x y
  case #ok z -> (z, -1)
  case #error {dividend} -> (-1, dividend)

entry list [n] (xs: [n]i32): [n]i32 =
  let os: [n](opt i32) = map (\x -> if x == 0 then #none else #some x) xs
  in map (map_opt (+ 1) >-> or_else (-1)) os
