-- Branches build one sum type with arrays of different sizes: the size of the result is known only when the program runs.

type option 'a = #none | #some a

-- One branch applies a constructor, and the other states the sum type.
def counted (b: bool) (n: i64) =
  if b then #some (iota n) else (#none : option ([1]i64))

-- The same in the other order, and with a coercion.
def coerced (b: bool) (n: i64) =
  if b then (#none : option ([1]i64)) :> option ([]i64) else #some (iota n)

-- The case of a match.
def matched (k: i64) (n: i64) =
  match k
  case 0 -> #some (replicate n k)
  case _ -> (#some [k, k, k] : option ([3]i64))

def or_nine [n] (o: option ([n]i64)) =
  match o
  case #some xs -> xs
  case #none -> replicate n 9

-- ==
-- entry: main
-- input { true 3i64 } output { [0i64, 1i64, 2i64] [9i64] }
-- input { false 2i64 } output { [9i64] [0i64, 1i64] }
entry main (b: bool) (n: i64) = (or_nine (counted b n), or_nine (coerced b n))

-- ==
-- entry: cases
-- input { 0i64 2i64 } output { [0i64, 0i64] }
-- input { 1i64 2i64 } output { [1i64, 1i64, 1i64] }
entry cases (k: i64) (n: i64) = or_nine (matched k n)
