-- Branches with different constructors, or payloads of different sizes, in places whose type is written.
-- ==
-- entry: evens
-- input { 0i64 } output { -1i64 }
-- input { 3i64 } output { 6i64 }
-- entry: taken
-- input { [1i64, 2i64, 3i64] 2i64 } output { [1i64, 2i64] }
-- input { [1i64, 2i64, 3i64] 1i64 } output { [0i64, 1i64, 2i64] }
-- entry: chained
-- input { [1i64, 2i64, 3i64] 0i64 } output { empty([0]i64) }
-- input { [1i64, 2i64, 3i64] 1i64 } output { [1i64] }
-- input { [1i64, 2i64, 3i64] 2i64 } output { [0i64, 1i64, 2i64, 3i64] }
-- input { [1i64, 2i64, 3i64] 3i64 } output { [3i64, 2i64] }
-- input { [1i64, 2i64, 3i64] 4i64 } output { empty([0]i64) }
-- entry: of_patterns
-- input { 2i64 } output { [0i64, 1i64, 2i64] }
-- input { -3i64 } output { [-3i64] }
-- input { 0i64 } output { empty([0]i64) }
-- entry: ascribed
-- input { [5i64, 6i64] true } output { [5i64] }
-- input { [5i64, 6i64] false } output { [0i64, 1i64, 2i64, 3i64] }
-- entry: coerced
-- input { [5i64, -6i64] true } output { [5i64] }
-- input { [5i64, -6i64] false } output { empty([0]i64) }
-- entry: nested
-- input { 1i64 } output { 3i64 }
-- input { 2i64 } output { 7i64 }
-- input { 3i64 } output { 0i64 }

type~ opt = #some ([]i64) | #none

def get (o: opt): []i64 = match o case #some xs -> xs case #none -> []

def even (x: i64): opt = match x case 0 -> #none case _ -> let k = x * 2 in #some (iota k)

entry evens (x: i64) = match even x case #some xs -> length xs case #none -> -1

def first (xs: []i64) (k: i64): opt = if k > 1 then #some (take k xs) else #some (iota 3)

entry taken (xs: []i64) (k: i64) = get (first xs k)

def chain [n] (xs: [n]i64) (k: i64): opt =
  if k == 0
  then #none
  else if k == 1
  then #some (take k xs)
  else if k == 2
  then let m = loop m = n while m < 4 do m + 1
       in #some (iota m)
  else if k == 3
  then #some (take 2 (reverse xs))
  else #none

entry chained (xs: []i64) (k: i64) = get (chain xs k)

def sign (x: i64): #positive i64 | #negative i64 | #zero =
  if x > 0 then #positive x else if x < 0 then #negative x else #zero

def of_sign (x: i64): opt =
  match sign x
  case #zero -> #none
  case #positive n -> #some (iota (n + 1))
  case #negative n -> #some [n]

entry of_patterns (x: i64) = get (of_sign x)

entry ascribed (xs: []i64) (c: bool) =
  get ((if c then #some (take 1 xs) else #some (iota 4)) : opt)

entry coerced (xs: []i64) (c: bool) =
  get ((if c then #some (filter (> 0) xs) else #none :> opt) :> opt)

type~ tree = #leaf | #row ([]i64) | #grid ([][]i64)

def pair (k: i64): (tree, opt) =
  match k
  case 1 -> let m = k + 2 in (#row (iota m), #none)
  case 2 -> (#grid (replicate k (iota (k + 1))), #some [1])
  case _ -> #[trace] assert (k > 2) (#leaf, #none)

entry nested (k: i64) =
  let (t, o) = pair k
  let n = match t case #leaf -> 0 case #row xs -> i64.sum xs case #grid xss -> i64.sum (flatten xss)
  in n + i64.sum (get o)
