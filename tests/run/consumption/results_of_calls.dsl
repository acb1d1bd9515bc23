-- The result of a call may be consumed as a whole: a scalar beside an array shares no memory with it, and the payloads of
-- two constructors may share memory, since a value has only one of them.

def sized [n] (xs: [n]i64) = (length xs, xs)
def either 'a (c: bool) (x: a): (#left a | #right a) = if c then #left x else #right x
def turned 'a (s: (#left a | #right a)): (#left a | #right a) =
  match s
  case #left x -> #right x
  case #right x -> #left x

def fill [n] (p: *(i64, [n]i64)) = p.1 with [0] = p.0
def put [n] (s: *(#left ([n]i64) | #right ([n]i64))): [n]i64 =
  match s
  case #left xs -> xs with [0] = 7
  case #right xs -> xs with [0] = 8

-- ==
-- entry: arguments
-- input { 3i64 } output { [3i64, 1, 2] [8i64, 1, 2] }
entry arguments (n: i64) = (fill (sized (iota n)), put (either (n > 3) (iota n)))

-- ==
-- entry: names
-- input { 4i64 } output { [4i64, 1, 2, 3] [7i64, 1, 2, 3] }
entry names (n: i64) =
  let pair = sized (iota n)
  let one = either (n > 3) (iota n)
  in (fill pair, put one)

-- ==
-- entry: loops
-- input { 3i64 } output { [5i64, 1, 2] 5i64 [7i64, 1, 2] }
entry loops (n: i64) =
  let xs = iota n
  let ys = iota n
  let (k, filled) = loop (p: *(i64, [n]i64)) = sized xs for _i < 2 do (p.0 + 1, p.1 with [0] = p.0 + 1)
  let one = loop (s: *(#left ([n]i64) | #right ([n]i64))) = either true ys for i < 2 do
    match turned s
    case #left zs -> #left (zs with [0] = i)
    case #right zs -> #right (zs with [0] = i)
  in (filled, k, put one)
