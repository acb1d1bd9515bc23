-- A payload of another constructor has no size that must be determined.

type~ opt 'a = #some a | #none

def nothing: () -> opt ([]i32) = \() -> #none

def count (k: i64): () -> opt ([]i64) = \() -> #some (iota k)

-- ==
-- input { 3i64 } output { -1i64 3i64 }
entry main (k: i64) =
  ( match nothing () case #some xs -> length xs case #none -> -1
  , match count k () case #some xs -> length xs case #none -> -1)
