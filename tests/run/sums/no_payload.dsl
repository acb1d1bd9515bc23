-- A payload of another constructor has no size that must be determined.

type~ opt 'a = #some a | #none

def nothing: () -> opt ([]i32) = \() -> #none

def count (k: i64): () -> opt ([]i64) = \() -> #some (iota k)

-- ==
-- input { 3i64 } output { -1i64 3i64 }
entry main (k: i64) =
  ( match nothing () case #some xs -> length xs case #none -> -1
  , match count k () case #some xs -> length xs case #none -> -1)

type option 't = #some t | #none

-- A coercion leaves the size of a payload open that this branch does not have.
def some_or_none (b: bool) (k: i64) =
  if b then #some (iota k) else #none :> option ([]i64)

-- ==
-- entry: coerced
-- input { true 3i64 } output { [0i64, 1i64, 2i64] }
-- input { false 3i64 } output { [-1i64] }
entry coerced (b: bool) (k: i64): []i64 =
  match some_or_none b k
  case #some xs -> xs
  case #none -> [-1]
