-- Size-lifted abbreviations contain arrays whose size differs at every use.
-- ==
-- input { [3, -1, 4, -1, 5] }
-- output { [3, 4, 5] [-1, -1] 5i64 }

type~ numbers = []i32
type~ halves = (numbers, numbers)

def split_signs (xs: []i32): halves = (filter (> 0) xs, filter (< 0) xs)

def count (ns: numbers): i64 = length ns

entry main (xs: []i32): ([]i32, []i32, i64) =
  let (a, b) = split_signs xs
  in (a, b, count a + count b)
