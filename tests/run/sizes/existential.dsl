-- Existential sizes, with and without names.
-- ==
-- entry: named_result
-- input { [3, -1, 4] } output { [3, 4] [true, false] }
-- entry: named_parameter
-- input { [1, 2] [3, 4] } output { [4, 6] }
-- entry: of_a_function_argument
-- input { 3i64 } output { 6i64 }
-- entry: bound_by_let
-- input { [3, -1, 4] } output { 2i64 }
-- entry: bound_twice
-- input { [[1, 2, 3], [4, 5, 6]] } output { 2i64 3i64 [5, 7, 9] }
-- entry: ascribed
-- input { [1, 2, 3] } output { 2i64 [2, 3] }
-- entry: from_branches
-- input { true 2i64 3i64 } output { [0i64, 1i64] }
-- input { false 2i64 3i64 } output { [0i64, 1i64, 2i64] }
-- entry: told_by_another
-- input { [3, -1, 4] } output { [3, 4] [3, 4, 0] }
-- entry: through_a_pipe
-- input { [3, -1, 4] } output { 7 }

def positive (xs: []i32): ?[k].([k]i32, [k]bool) =
  let ys = filter (> 0) xs
  in (ys, map (< 4) ys)

entry named_result (xs: []i32) = positive xs

entry named_parameter (xs: []i32) (ys: []i32): []i32 =
  let add (p: ?[k].([k]i32, [k]i32)) = map2 (+) p.0 p.1
  let [n] (xs: [n]i32) = xs
  in add (xs, ys :> [n]i32)

entry of_a_function_argument (n: i64): i64 =
  let lengths (f: i64 -> ?[k].[k]i64) = length (f n) + length (f (n + 0))
  in lengths (\m -> iota m)

entry bound_by_let (xs: []i32): i64 =
  let [k] (_: [k]i32) = filter (> 0) xs
  in k

entry bound_twice [n] [m] (xss: [n][m]i32): (i64, i64, [m]i32) =
  let [a] [b] (yss: [a][b]i32) = map (map (+ 0)) xss
  in (a, b, reduce (map2 (+)) (replicate m 0) (yss :> [n][m]i32))

entry ascribed (xs: []i32): (i64, []i32) =
  let ys = xs[1:] : ?[k].[k]i32
  in (length ys, ys)

-- Outside the scope of its name, a size is still known from the array that has it.
def followed (xs: []i32): ?[k].([k]i32, [k + 1]i32) =
  let [k] (ys: [k]i32) = filter (> 0) xs
  in (ys, ys ++ [0])

entry told_by_another (xs: []i32) = followed xs

entry from_branches (b: bool) (n: i64) (m: i64): []i64 = if b then iota n else iota m

entry through_a_pipe (xs: []i32): i32 = xs |> filter (> 0) |> i32.sum

def either '~a (b: bool) (yes: () -> a) (no: () -> a): a = if b then yes () else no ()

-- ==
-- entry: either_of_two_functions
-- input { true [1, -2, 3] } output { [1, 3] 2i64 }
-- input { false [1, -2, 3] } output { [-2] 1i64 }
entry either_of_two_functions (b: bool) (xs: []i32) =
  let ys = either b (\() -> filter (> 0) xs) (\() -> filter (< 0) xs)
  in (ys, length ys)

type~ opt 'a = #some a | #none

def bind '~a '~b (o: opt a) (f: a -> opt b): opt b =
  match o
  case #some x -> f x
  case #none -> #none

def above (k: i32) (xs: []i32): opt ([]i32) =
  let ys = filter (> k) xs
  in if null ys then #none else #some ys

-- ==
-- entry: inside_of_the_result
-- input { [1, 2, 3] 0 } output { [2, 3] }
-- input { [1, 2, 3] 2 } output { empty([0]i32) }
entry inside_of_the_result (xs: []i32) (k: i32): []i32 =
  match bind (above k xs) (\ys -> above (k + 1) ys)
  case #some zs -> zs
  case #none -> []

def pair '~a '~b (f: () -> a) (g: () -> b): (a, b) = (f (), g ())

-- ==
-- entry: both_of_a_pair
-- input { [1, -2, 3] } output { [1, 3] [-2] }
entry both_of_a_pair (xs: []i32) = pair (\() -> filter (> 0) xs) (\() -> filter (< 0) xs)

-- A size binder may stand in an expression before it stands alone, also in another component of the pattern.
-- ==
-- entry: sum_first sum_in_front
-- input { 3i64 } output { 3i64 2i64 5i64 }

def three (n: i64): ?[a][b].([a + b]i64, [a]i64, [b]i64) =
  let (xs, ys) = (filter (< n) (iota 9), filter (< n - 1) (iota 9))
  in (xs ++ ys, xs, ys)

entry sum_first (n: i64): (i64, i64, i64) =
  let [a][b] (zs: [a + b]i64, _: [a]i64, _: [b]i64) = three n
  in (a, b, length zs)

entry sum_in_front (n: i64): (i64, i64, i64) =
  let [a][b] ((zs, _, _): ([a + b]i64, [a]i64, [b]i64)) = three n
  in (a, b, length (map2 (+) zs (iota (a + b))))
