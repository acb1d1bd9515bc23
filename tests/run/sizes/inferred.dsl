-- An anonymous size is inferred: the sizes of results are those that the bodies compute.

def twice (n: i64): ([]i64, []i64) = (iota n, iota n)
def three: []i64 = [1, 2, 3]
def fresh (n: i64): *[]i64 = replicate n 3
def fields (n: i64): {a: []i64, b: [][]i64} = {a = iota n, b = replicate 2 (iota n)}
def payload (n: i64): #some ([]i64) | #none = #some (iota n)
def grid (n: i64) (m: i64): [][]i64 = replicate n (iota m)
def expression (n: i64): []i64 = iota (n * 2 + 1)
def constant (_: i64): []i64 = iota 3
def rest [n] (xs: [n]i64): []i64 = xs[1:]

-- ==
-- entry: components
-- input { 3i64 } output { [0i64, 1, 4] [1i64, 3, 5] [3i64, 4, 5] [0i64, 2, 4] }
entry components (n: i64) =
  let (a, b) = twice n
  let r = fields n
  in (map2 (*) a b, map2 (+) three (iota 3), map2 (+) (fresh n) (iota n), map2 (+) r.a r.b[1])

-- ==
-- entry: computed
-- input { 2i64 } output { [0i64, 2, 4, 6, 8] [[0i64, 2, 4], [0i64, 2, 4]] [1i64, 3, 5] [4i64, 6] }
entry computed (n: i64) =
  ( map2 (+) (expression n) (iota (n * 2 + 1))
  , map2 (map2 (+)) (grid n 3) (grid n 3)
  , map2 (+) (constant n) three
  , map2 (+) (rest three) (rest three) )

-- ==
-- entry: sums
-- input { 3i64 } output { [0i64, 2, 4] }
entry sums (n: i64): []i64 =
  match payload n
  case #some xs -> map2 (+) xs (iota n)
  case #none -> replicate n 7

type~ vector = []i64
type~ pair = ([]i64, []i64)
def vector (n: i64): vector = iota n
def pair (n: i64): pair = (iota n, map (+ 1) (iota n))

-- ==
-- entry: abbreviations
-- input { 3i64 } output { [0i64, 2, 4] [1i64, 3, 5] }
entry abbreviations (n: i64) =
  let (a, b) = pair n
  in (map2 (+) (vector n) a, map2 (+) b a)

-- ==
-- entry: locals
-- input { 3i64 } output { [0i64, 3, 6] [4i64, 6, 8] }
entry locals (n: i64): ([]i64, []i64) =
  let f (k: i64): []i64 = iota k
  let g = \(k: i64): []i64 -> iota k
  let xs: []i64 = f n
  let ys = g n :> []i64
  let zs = loop (zs: []i64) = iota n for _i < 2i32 do map (+ 1) zs
  let (ws: []i64, _) = loop (ws: []i64, i: i64) = (iota n, 0) while i < 2 do (map (+ 1) ws, i + 1)
  in (map3 (\x y z -> x + y + z) xs ys (iota n), map2 (+) zs ws)

def given (f: (n: i64) -> [n]i64) (n: i64): []i64 = f n
def given_any (f: i64 -> []i64) (n: i64): []i64 = f n

-- ==
-- entry: functions
-- input { 3i64 } output { [0i64, 2, 4] [0i64, 1, 2] }
entry functions (n: i64) = (map2 (+) (given iota n) (iota n), given_any iota n)

-- A size that cannot be named outside is existential.
def positive (xs: []i64): ([]i64, i64) =
  let ys = filter (> 0) xs
  in (ys, length ys)
def from_a_part ((n, _): (i64, bool)): []i64 = iota n
def from_an_array (xs: []i64): []i64 =
  let ys = map (+ 1) xs
  in iota ys[0]
def consumed (xs: *[]i64): *[]i64 =
  let n = xs[0]
  let xs[0] = 7
  in iota (n + 1)

-- ==
-- entry: hidden
-- input { [2i64, -1, 3] } output { [2i64, 3] 2i64 [0i64, 1] [0i64, 1, 2] [0i64, 1, 2] }
entry hidden (xs: []i64) =
  let (ys, n) = positive xs
  in (ys, n, from_a_part (xs[0], true), from_an_array xs, consumed (copy xs))

module type maker = { val make: (n: i64) -> [n]i64  val some: (n: i64) -> []i64  val c: [2]i64 }
module made: maker = { def make (n: i64): []i64 = iota n  def some (n: i64): []i64 = iota n  def c: []i64 = [1, 2] }
module parametric (m: maker) = {
  def more (n: i64): []i64 = map (+ 1) (m.make n)
  module inner = { def both (n: i64): ([]i64, []i64) = (more n, m.make n) }
}
module applied = parametric made

-- ==
-- entry: modules
-- input { 2i64 } output { [1i64, 3] [1i64, 3] 2i64 }
entry modules (n: i64) =
  let (a, b) = applied.inner.both n
  in (map2 (+) a b, map2 (+) made.c (iota 2), length (made.some n))
