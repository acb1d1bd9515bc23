-- A lifted abbreviation takes a function for a type parameter that is not an element of an array.

type^ kept 'a = {kept: a}
type^ either 'a 'b = #left a | #right (b, i64)

def twice '^a (x: kept a) (y: kept a): kept (a, a) = {kept = (x.kept, y.kept)}

def sized: kept ((n: i64) -> [n]i64 -> [n]i64) = {kept = \n (xs: [n]i64) -> map (+ n) xs}

-- ==
-- entry: of_two
-- input { [1i64, 2] } output { [5i64, 6] }
entry of_two [n] (xs: [n]i64) =
  let both = twice sized sized
  in both.kept.0 n (both.kept.1 n xs)

def apply (e: either (i64 -> i64) (i64 -> i64)) =
  match e
  case #left f -> f 3
  case #right (f, x) -> f x

-- ==
-- entry: of_a_sum
-- input { 4i64 } output { 7i64 8i64 }
entry of_a_sum (x: i64) = (apply (#left (+ x)), apply (#right ((* 2), x)))
