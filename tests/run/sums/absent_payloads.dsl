-- A payload that a value does not have may have a negative size: only its own constructor needs the size.
-- ==
-- entry: branch
-- input { -2i64 } output { -2i64 }
-- input { 4i64 } output { 6i64 }
-- entry: difference
-- input { 2i64 } output { 2i64 }
-- input { 7i64 } output { 9i64 }
-- entry: rows
-- input { 0i64 } output { -1i64 }
-- input { 3i64 } output { 12i64 }
-- entry: cases
-- input { 0i64 } output { 0i64 }
-- input { 1i64 } output { 1i64 }
-- input { 5i64 } output { 3i64 }
-- entry: sized
-- input { 2i64 true } output { 0i64 }
-- input { 5i64 true } output { 2i64 }
-- input { 5i64 false } output { 0i64 }
-- entry: in_a_loop
-- input { -1i64 5i64 } output { 0i64 }
-- input { 3i64 2i64 } output { 9i64 }
-- entry: in_a_map
-- input { [7i64, 8i64] 1i64 } output { [-7i64, -8i64] }
-- input { [1i64, 8i64] 5i64 } output { [3i64, -8i64] }
-- entry: called
-- input { -3i64 } output { -3i64 }
-- input { 3i64 } output { 3i64 }
-- entry: in_a_payload
-- input { -3i64 } output { 1i64 }
-- input { 0i64 } output { 2i64 }
-- input { 4i64 } output { 10i64 }
-- entry: needed
-- input { 2i64 } output { 1i64 }
-- input { -2i64 } error: Range 0..1..<-2 is invalid

type~ res = #ok ([]i64) | #err i64

def numbers (k: i64): res = if k < 0 then #err k else #ok (iota k)

entry branch (k: i64): i64 = match numbers k case #ok xs -> i64.sum xs case #err e -> e

def ones (k: i64): res = if k < 5 then #err k else #ok (replicate (k - 5) 1)

entry difference (k: i64): i64 = match ones k case #ok xs -> i64.sum xs + k case #err e -> e

type~ grid = #grid ([][]i64) | #no

def grid (k: i64): grid = if k > 1 then #grid (replicate k (replicate (k - 1) 2)) else #no

entry rows (k: i64): i64 = match grid k case #grid xss -> i64.sum (flatten xss) case #no -> -1

type~ shape = #point | #row ([]i64) | #grid ([][]i64)

def shape (k: i64): shape =
  match k
  case 0 -> #point
  case 1 -> #row (replicate k k)
  case _ -> #grid (replicate (k - 2) (replicate (k - 4) 1))

entry cases (k: i64): i64 =
  match shape k
  case #point -> 0
  case #row xs -> i64.sum xs
  case #grid xss -> i64.sum (map i64.sum xss)

type opt [n] = #some ([n]i64) | #none

def opt (k: i64) (b: bool): opt [k - 3] = if b && k > 3 then #some (replicate (k - 3) 1) else #none

entry sized (k: i64) (b: bool): i64 = match opt k b case #some xs -> i64.sum xs case #none -> 0

entry in_a_loop (k: i64) (n: i64): i64 =
  let r = loop r = (#none : opt [k]) for i < n do
    if k < 0 then r else
    match r
    case #some xs -> #some (map (+ i) xs)
    case #none -> #some (replicate k (i + 2))
  in match r case #some xs -> i64.sum xs case #none -> 0

entry in_a_map (xs: []i64) (k: i64): []i64 =
  let made = map (\x -> if x > 3 then #none else (#some (replicate (k - 2) x) : opt [k - 2])) xs
  in map2 (\x r -> match r case #some ys -> i64.sum ys case #none -> -x) xs made

#[noinline] def far (k: i64): res = if k < 0 then #err k else #ok (iota k)

entry called (k: i64): i64 = match far k case #ok xs -> length xs case #err e -> e

type~ tree = #leaf res | #pair ([]i64, res)

def tree (k: i64): tree =
  if k < 0 then #leaf (#err 1) else if k == 0 then #leaf (#ok (replicate (k + 1) 2)) else #pair (iota k, #ok (iota k))

entry in_a_payload (k: i64): i64 =
  let value (r: res) = match r case #ok xs -> i64.sum xs case #err e -> e
  in match tree k
     case #leaf r -> value r
     case #pair (xs, r) -> length xs + value r

entry needed (k: i64): i64 = match (#ok (iota k) : res) case #ok xs -> i64.sum xs case #err e -> e
