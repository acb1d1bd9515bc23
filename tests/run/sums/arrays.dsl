-- Arrays of values of sum types, and sum types that contain arrays.
-- ==
-- entry: mapped
-- input { [3, 0, -2] }
-- output { [30, 0, 2] }
-- entry: indexed
-- input { [3, 0, -2] 2i64 }
-- output { -2 }
-- entry: updated
-- input { [3, 0, -2] }
-- output { [1, 3, 1] }
-- entry: counted
-- input { [3, 0, -2, 0] }
-- output { 2i64 }
-- entry: reduced
-- input { [3, 9, 4] }
-- output { 9 }
-- input { empty([0]i32) }
-- output { -1 }
-- entry: scanned
-- input { [0, 3, 0, 4] }
-- output { [-1, 3, 3, 4] }
-- entry: array_payload
-- input { true [1, 2, 3] }
-- output { 6 }
-- input { false [1, 2, 3] }
-- output { 0 }
-- entry: row_payloads
-- input { [[1, 2], [0, 5]] }
-- output { [3, -1] }
-- entry: literal
-- input { 5 }
-- output { [5, -1, 6] }
-- entry: compared
-- input { [1, 0] [1, 0] }
-- output { true }
-- input { [1, 0] [1, 2] }
-- output { false }
-- entry: looped
-- input { [3, 0, 4] }
-- output { 7 1 }
-- entry: replicated
-- input { 3i64 }
-- output { [7, 7, 7] }
-- entry: transposed
-- input { [[1, 0], [3, 4]] }
-- output { [[1, 3], [-1, 4]] }
-- entry: concatenated
-- input { [1, 0] [0] }
-- output { [1, -1, -1] }
-- entry: empty
-- input { }
-- output { 0i64 }

def kind (x: i32): (#positive i32 | #zero | #negative i32) =
  if x > 0 then #positive x else if x < 0 then #negative (-x) else #zero

entry mapped [n] (xs: [n]i32): [n]i32 =
  map (\k -> match k case #positive x -> 10 * x case #zero -> 0 case #negative x -> x) (map kind xs)

entry indexed (xs: []i32) (i: i64): i32 =
  match (map kind xs)[i] case #positive x -> x case #zero -> 0 case #negative x -> -x

entry updated [n] (xs: [n]i32): [n]i32 =
  let ks = map kind xs
  let ks[2] = #positive 1
  let ks[0] = ks[2]
  let ks[1] = #positive 3
  in map (\k -> match k case #positive x -> x case _ -> 0) ks

entry counted (xs: []i32): i64 =
  length (filter (\k -> k == #zero) (map kind xs))

def maybe (x: i32): #some i32 | #none = if x == 0 then #none else #some x
def get (o: #some i32 | #none): i32 = match o case #some x -> x case #none -> -1

entry reduced (xs: []i32): i32 =
  let larger (a: #some i32 | #none) (b: #some i32 | #none): #some i32 | #none =
    match (a, b)
    case (#some x, #some y) -> #some (i32.max x y)
    case (#none, o) -> o
    case (o, #none) -> o
  in get (reduce larger #none (map maybe xs))

entry scanned [n] (xs: [n]i32): [n]i32 =
  let last (a: #some i32 | #none) (b: #some i32 | #none) = match b case #none -> a case _ -> b
  in map get (scan last #none (map maybe xs))

def choose [n] (b: bool) (xs: [n]i32): #all [n]i32 | #nothing = if b then #all xs else #nothing

entry array_payload (b: bool) (xs: []i32): i32 =
  match choose b xs case #all ys -> reduce (+) 0 ys case #nothing -> 0

entry row_payloads [n] [m] (xss: [n][m]i32): [n]i32 =
  let os = map (\xs -> choose (xs[0] > 0) xs) xss
  in map (\o -> match o case #all xs -> reduce (+) 0 xs case #nothing -> -1) os

entry literal (x: i32): []i32 = map get [#some x, #none, #some (x + 1)]

entry compared [n] (xs: [n]i32) (ys: [n]i32): bool = map maybe xs == map maybe ys

entry looped (xs: []i32): (i32, i32) =
  loop (sum, nones) = (0, 0) for o in map maybe xs do
    match o
    case #some x -> (sum + x, nones)
    case #none -> (sum, nones + 1)

entry replicated (n: i64): []i32 = map get (replicate n (#some 7))

entry transposed [n] [m] (xss: [n][m]i32): [m][n]i32 =
  map (map get) (transpose (map (map maybe) xss))

entry concatenated (xs: []i32) (ys: []i32): []i32 = map get (map maybe xs ++ map maybe ys)

entry empty: i64 = length ([]: [](#some i32 | #none))
