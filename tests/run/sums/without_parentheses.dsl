-- A sum type needs no parentheses: as the element type of an array, after a `*`, after an arrow.
-- Each `|` belongs to the nearest sum.
-- ==
-- entry: count
-- input { 3i64 } output { 2 }
-- entry: fresh
-- input { 3i64 } output { 1 }
-- entry: nested
-- input { 2 } output { 6 }
-- entry: inner
-- input { 2i64 } output { 5 }

def colours (n: i64): [n]#red | #blue = map (\i -> if i % 2 == 0 then #red else #blue) (iota n)

def is_red (c: #red | #blue): bool = match c case #red -> true case #blue -> false

entry count (n: i64): i32 = i32.sum (map (\c -> if is_red c then 1 else 0) (colours n))

def painted (cs: *[]#red | #blue): *[]#red | #blue =
  if length cs > 0 then cs with [0] = #blue else cs

entry fresh (n: i64): i32 = i32.sum (map (\c -> if is_red c then 1 else 0) (painted (colours n)))

def parts (x: i32): #one i32 | #two (i32, i32) | #none = if x > 1 then #two (x, x * 2) else #one x

entry nested (x: i32): i32 = match parts x case #one a -> a case #two (a, b) -> a + b case #none -> 0

type~ line = #many []#short i32 | #long i32 i32

def total (l: line): i32 =
  match l case #many ps -> i32.sum (map (\p -> match p case #short a -> a case #long a b -> a + b) ps)

entry inner (n: i64): i32 = total (#many (map (\i -> if i == 0 then #short 2 else #long 1 2) (iota n)))
