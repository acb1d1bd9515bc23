-- Recursive functions of arrays, whose sizes differ between calls.
-- ==
-- tags { no_gpu }
-- entry: quicksort
-- input { [3i32, 1i32, 2i32, 3i32, -5i32, 8i32, 0i32] }
-- output { [-5i32, 0i32, 1i32, 2i32, 3i32, 3i32, 8i32] }
-- input { [7i32] }
-- output { [7i32] }
-- input { empty([0]i32) }
-- output { empty([0]i32) }

-- ==
-- entry: halves
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] }
-- output { 15i64 }
-- input { empty([0]i64) }
-- output { 0i64 }

-- ==
-- entry: reversed
-- input { [1i32, 2i32, 3i32] }
-- output { [3i32, 2i32, 1i32] }

-- ==
-- entry: squares
-- input { 5i64 }
-- output { [0i64, 1i64, 4i64, 9i64, 16i64] }
-- input { 0i64 }
-- output { empty([0]i64) }

-- ==
-- entry: merge_sorted
-- input { [1i32, 4i32, 9i32] [2i32, 3i32, 10i32, 11i32] }
-- output { [1i32, 2i32, 3i32, 4i32, 9i32, 10i32, 11i32] }

-- ==
-- entry: power
-- input { [[1i64, 1i64], [1i64, 0i64]] 10i64 }
-- output { [[89i64, 55i64], [55i64, 34i64]] }

-- ==
-- entry: doubled
-- input { [1i32, 2i32] 3i32 }
-- output { [1i32, 2i32, 1i32, 2i32, 1i32, 2i32, 1i32, 2i32, 1i32, 2i32, 1i32, 2i32, 1i32, 2i32, 1i32, 2i32] }

-- ==
-- entry: grown
-- input { 4i64 }
-- output { [10i64, 6i64, 3i64, 1i64] 3i64 }
-- input { 0i64 }
-- output { empty([0]i64) 3i64 }

-- ==
-- entry: of_a_number
-- input { 3i32 2i32 }
-- output { [4i64, 4i64, 4i64] }
-- input { -1i32 2i32 }
-- error: Range 0..1..<-1 is invalid

def sort (xs: []i32): []i32 =
  if length xs < 2 then xs else
  let pivot = xs[length xs / 2]
  in sort (filter (< pivot) xs) ++ filter (== pivot) xs ++ sort (filter (> pivot) xs)

entry quicksort (xs: []i32): []i32 = sort xs

def total [n] (xs: [n]i64): i64 =
  if n == 0 then 0 else if n == 1 then xs[0] else total xs[:n / 2] + total xs[n / 2:]

entry halves (xs: []i64): i64 = total xs

entry reversed [n] (xs: [n]i32): [n]i32 =
  if n == 0 then xs else (reversed xs[1:] ++ [xs[0]]) :> [n]i32

def fill [n] (xs: *[n]i64) (i: i64): *[n]i64 =
  if i == n then xs else fill (xs with [i] = i * i) (i + 1)

entry squares (n: i64): []i64 = fill (replicate n 0) 0

entry merge_sorted (xs: []i32) (ys: []i32): []i32 =
  if length xs == 0 then ys
  else if length ys == 0 then xs
  else if xs[0] <= ys[0] then [xs[0]] ++ merge_sorted xs[1:] ys
  else [ys[0]] ++ merge_sorted xs ys[1:]

def product [n] (a: [n][n]i64) (b: [n][n]i64): [n][n]i64 =
  map (\row -> map (\column -> i64.sum (map2 (*) row column)) (transpose b)) a

entry power [n] (a: [n][n]i64) (k: i64): [n][n]i64 =
  if k == 1 then a
  else let half = power a (k / 2)
       let square = product half half
       in if k % 2 == 0 then square else product square a

entry doubled (xs: []i32) (k: i32): []i32 = if k == 0 then xs else doubled (xs ++ xs) (k - 1)

def sums (n: i64): []i64 = if n == 0 then [] else
  let rest = sums (n - 1)
  in [n + (if n == 1 then 0 else rest[0])] ++ rest

entry grown (n: i64): ([]i64, i64) =
  (sums n, reduce (+) 0 (map (\k -> length (sums k)) (iota 3)))

-- The size of the result is checked only in the innermost call.
def powers_of_two (n: i64) (times: i64): [n]i64 =
  if times == 0 then replicate n 1 else map (* 2) (powers_of_two n (times - 1))

entry of_a_number (n: i32) (times: i32): []i64 = powers_of_two (i64.i32 n) (i64.i32 times)
