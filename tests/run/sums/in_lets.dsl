-- Values of sum types as results of functions, in lets whose names are sizes in their payloads.
-- ==
-- entry: name
-- input { [1, 2, 3] 2i64 } output { [1, 2] 0i64 }
-- input { [1, 2, 3] 9i64 } output { [1, 2, 3] 0i64 }
-- input { [1, 2, 3] -2i64 } output { empty([0]i32) -2i64 }
-- entry: filtered
-- input { [3, -1, 2] 1 } output { [3, 2] 0i64 }
-- input { [3, -1, 2] -1 } output { empty([0]i32) 2i64 }
-- entry: in_a_pair
-- input { [1, 2, 3] 2i64 } output { 2i64 [1, 2] 0i64 }
-- entry: in_a_local_function
-- input { [1, 2, 3] 2i64 } output { [1, 2] 0i64 }
-- input { [1, 2, 3] -1i64 } output { empty([0]i32) -1i64 }
-- entry: with_updates
-- input { [1, 2, 3] 2i64 } output { [7, 2] 0i64 }
-- input { [1, 2, 3] 0i64 } output { empty([0]i32) 5i64 }
-- entry: three
-- input { 0i64 } output { 0i64 }
-- input { 1i64 } output { 1i64 }
-- input { 4i64 } output { 15i64 }

type~ res = #ok ([]i32) | #err i64

def show (r: res): ([]i32, i64) =
  match r
  case #ok xs -> (xs, 0)
  case #err i -> ([], i)

def up_to [n] (xs: [n]i32) (k: i64): res =
  let m = loop m = k while m > n do m - 1
  in if m < 0 then #err m else #ok (take m xs)

entry name (xs: []i32) (k: i64) = show (up_to xs k)

def positive (xs: []i32) (k: i32): res =
  let ys = filter (> 0) xs
  let (zs, l) = (copy ys, length ys)
  in if k < 0 then #err l else #ok zs

entry filtered (xs: []i32) (k: i32) = show (positive xs k)

def with_length [n] (xs: [n]i32) (k: i64): (i64, res) =
  let m = i64.min (k * 2 - 2) n
  in (m, #ok (take m xs))

entry in_a_pair (xs: []i32) (k: i64) = let (m, r) = with_length xs k let (ys, i) = show r in (m, ys, i)

entry in_a_local_function (xs: []i32) (k: i64) =
  let f (j: i64): res =
    let m = i64.min j (length xs)
    let half (x: i64) = x / 2
    in if m < 0 then #err m else #ok (take (m + half 0) xs)
  in show (f k)

def updated [n] (xs: [n]i32) (k: i64): res =
  let m = i64.min k n
  let ys = copy (take m xs)
  let ys[0:i64.min m 1] = replicate (i64.min m 1) 7
  in if null ys then #err 5 else #ok ys

entry with_updates (xs: []i32) (k: i64) = show (updated xs k)

type~ shape = #none | #row ([]i64) | #grid ([][]i64)

def shape (k: i64): shape =
  let m = k * 2 - k
  let r = iota m
  in match k
     case 0 -> #none
     case 1 -> #row (map (+ 1) r)
     case _ -> #grid (replicate (m - 1) (map (+ 1) r |> take (m - 2)))

entry three (k: i64): i64 =
  match shape k
  case #none -> 0
  case #row xs -> i64.sum xs
  case #grid xss -> i64.sum (flatten xss) + i64.sum (map (const 2) xss)
