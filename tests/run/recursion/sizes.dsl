-- Sizes that are computed in a recursive function.
-- ==
-- tags { no_gpu }

def count (xs: []i64): i64 =
  if null xs then 0
  else length (zip (iota (length xs)) (iota (length xs))) + count xs[1:]

-- ==
-- entry: counted
-- input { [5i64, 6, 7] } output { 6i64 }
entry counted (xs: []i64) = count xs

-- A recursive function returns arrays of different sizes in different calls.
def down (n: i64): []i64 = if n == 0 then [] else down (n - 1) ++ [n]
def same (n: i64) (k: i64): [n]i64 = if k == 0 then iota n else map (+ 1) (same n (k - 1))

-- ==
-- entry: recursive
-- input { 3i64 } output { [1i64, 2, 3] [2i64, 4, 6] }
entry recursive (n: i64): ([]i64, []i64) = (down n, map2 (+) (same n 2) (iota n))
