-- A lambda returns a value of one constructor, and the function that it is passed to writes the sum type of its result. The
-- same for a lambda whose type the definition or the pattern that it is bound to writes.
-- ==
-- entry: passed
-- input { 3i64 } output { 6i64 3i64 -1i64 }
-- input { 0i64 } output { 0i64 0i64 -1i64 }
-- entry: of_two_parameters
-- input { 3i64 } output { 9i64 }
-- entry: piped
-- input { 4i64 } output { 6i64 }
-- entry: in_branches
-- input { 1i64 } output { -1i64 }
-- input { 4i64 } output { 10i64 }
-- entry: bound
-- input { 4i64 } output { 6i64 9i64 10i64 }
-- entry: of_any_payload
-- input { 4i64 } output { 5i64 6i64 }
-- entry: written_in_a_pattern
-- input { 4i64 } output { 10i64 }
-- input { -1i64 } output { 0i64 }
-- entry: outside
-- input { 3i64 } output { 3i64 4i64 true 6i64 }

type~ opt = #some ([]i64) | #none
type~ maybe '~a = #just a | #nothing

def total (r: opt): i64 =
  match r
  case #some xs -> i64.sum xs
  case #none -> -1

def apply (f: i64 -> opt) (x: i64): opt = f x

entry passed (n: i64) =
  (total (apply (\y -> #some (iota (y + 1))) n),
   total (apply (\y -> let k = y * y in #some (iota k |> map (const 1) |> take y)) n),
   total (apply (\_ -> #none) n))

def apply2 (f: i64 -> i64 -> opt) (x: i64): opt = f x x

entry of_two_parameters (n: i64) = total (apply2 (\y z -> #some (replicate y z)) n)

entry piped (n: i64) = n |> apply (\y -> #some (iota y)) |> total

entry in_branches (n: i64) =
  total (apply (\y -> if y > 2 then let k = y + 1 in #some (iota k) else match y case 1 -> #none case _ -> #some [y]) n)

def definition : i64 -> opt = \y -> #some (iota y)

entry bound (n: i64) =
  let positive : i64 -> opt = \y -> #some (filter (!= 1) (iota (y + 1)))
  let of_a_tuple : (i64, i64) -> opt = \(a, b) -> #some (iota (a + b))
  in (total (definition n), total (positive n), total (of_a_tuple (n - 1, 2)))

def bind 'a '~b (x: a) (f: a -> maybe b): maybe b = f x

entry of_any_payload (n: i64) =
  (match bind n (\y -> #just (y + 1)) case #just x -> x case #nothing -> 0,
   match bind n (\y -> #just (iota y)) case #just xs -> i64.sum xs case #nothing -> 0)

entry written_in_a_pattern (n: i64) =
  let r : opt = (let k = n + 1 in #some (iota k))
  in total r

-- Only the type that is written around the application has all constructors.
def apply_to 'a '~b (x: a) (f: a -> b): b = f x

def of_the_definition (n: i64): maybe i64 = apply_to n (\y -> #just (y + 1))

entry outside (n: i64) =
  let xs : opt = apply_to n (\y -> #some (iota y))
  let (piped, _) : (maybe bool, i64) = n |> \y -> (#just (y > 2), y)
  let rows : [](#just i64 | #nothing) = map (\i -> #just (i * 2)) (iota n)
  in (total xs,
      match of_the_definition n case #just x -> x case #nothing -> 0,
      match piped case #just x -> x case #nothing -> false,
      i64.sum (map (\row -> match row case #just x -> x case #nothing -> 0) rows))
