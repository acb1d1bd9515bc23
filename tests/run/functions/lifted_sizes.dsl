-- A lifted type parameter may be instantiated by a type of unknown size. Each value of this type in the result has
-- its own size.

def apply2 '^a '~b (f: a -> b) (x: a) (y: a): (b, b) = (f x, f y)
def nested '^a '~b (f: a -> b) (x: a) (y: a): {p: b, q: (b, b)} = {p = f x, q = apply2 f y x}
def choose '^a '~b (f: a -> b) (c: bool) (x: a) (y: a): b = if c then f x else f y

-- ==
-- entry: two_results
-- input { 2i64 3i64 } output { [0i64, 1] [0i64, 1, 2] }
entry two_results (n: i64) (m: i64): ([]i64, []i64) = apply2 iota n m

-- ==
-- entry: three_results
-- input { 2i64 3i64 } output { [0i64, 1] [0i64, 1, 2] [0i64, 1] }
entry three_results (n: i64) (m: i64) =
  let r = nested (\k -> iota k) n m
  in (r.p, r.q.0, r.q.1)

-- ==
-- entry: of_a_filter
-- input { [2i64, 5, 3] } output { 2i64 [5i64, 3] [6i64, 4] }
entry of_a_filter (xs: []i64) =
  let [k] (a: [k]i64, b: []i64) = apply2 (filter (> 2)) xs (map (+ 1) xs)
  in (k, a, filter (> 3) b)

-- ==
-- entry: in_a_branch
-- input { true 2i64 3i64 } output { [0i64, 1] }
-- input { false 2i64 3i64 } output { [0i64, 1, 2] }
entry in_a_branch (c: bool) (n: i64) (m: i64) = choose iota c n m

-- ==
-- entry: in_a_map
-- input { [1i64, 2, 3] } output { [2i64, 4, 7] }
entry in_a_map (xs: []i64) =
  map (\x -> let (a, b) = apply2 iota x (x + 1) in length b + i64.sum a) xs

-- ==
-- entry: uncurried
-- input { 2i64 3i64 } output { [[1, 1, 1], [1, 1, 1]] [3i64, 3i64] }
def grid (n: i64) (m: i64) = replicate n (replicate m 1i32)
entry uncurried (n: i64) (m: i64) =
  let f = uncurry replicate
  in (uncurry grid (n, m), f (n, m))

-- A value may determine the sizes of a function next to it.
def reader (n: i64) (m: i64): ([n][m](), [n][m]bool -> bool) =
  (replicate n (replicate m ()), \xss -> xss[0, 0])
def reader_of_a_pair = uncurry reader

-- ==
-- entry: witnessed
-- input { 2i64 3i64 } output { true }
entry witnessed (a: i64) (b: i64) =
  let [n] [m] (_: [n][m](), f: [n][m]bool -> bool) = reader_of_a_pair (a, b)
  in f (replicate n (replicate m true))

-- Records of functions that take arrays of any size.
def ways = {back = reverse, same = \(xs: []i32) -> xs}

-- ==
-- entry: records
-- input { [1, 2] [3, 4, 5] } output { [2, 1] [5, 4, 3] [1, 2] [5, 4, 3] [3, 4, 5] }
entry records [n] [m] (xs: [n]i32) (ys: [m]i32) =
  let r = {f = reverse, g = reverse}
  in (ways.back xs, ways.back ys, ways.same xs, r.g ys, r.f (r.f ys))

type opt 'a = #some a | #none

-- ==
-- entry: coerced
-- input { 3i64 } output { [0i64, 1, 2] [0i64, 1, 2] }
entry coerced (n: i64): ([]i64, [n]i64) =
  let x = #some (iota n) :> opt ([]i64)
  let y = #some (iota (n + 0)) :> opt ([n]i64)
  in ( match x case #some xs -> xs case #none -> []
     , match y case #some xs -> xs case #none -> replicate n 0 )
