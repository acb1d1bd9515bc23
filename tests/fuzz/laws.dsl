-- Laws: `left_X` and `right_X` answer alike for all arguments. They are given a number below `n`, a permutation of
-- the numbers below `n`, and numbers.

def f (x: i64): i64 = x * 3 - 1
def g (x: i64): i64 = (x >> 2) ^ x
def p (x: i64): bool = x % 3 != 0
def q (x: i64): bool = x & 4 == 0

-- A map of a composition is a composition of maps.
entry left_composition [n] (_: i64) (_: [n]i64) (xs: [n]i64): [n]i64 = map (f >-> g) xs
entry right_composition [n] (_: i64) (_: [n]i64) (xs: [n]i64): [n]i64 = map g (map f xs)

-- What is split and put together again was never split, whatever is done to both parts.
entry left_split [n] (k: i64) (_: [n]i64) (xs: [n]i64): []i64 =
  let k = i64.min k n
  in map f (xs[:k]) ++ map f (xs[k:])
entry right_split [n] (_: i64) (_: [n]i64) (xs: [n]i64): []i64 = map f xs

def table [n] (xs: [n]i64): [n][3]i64 = map (\x -> map (\j -> f x + j) (iota 3)) xs

-- What is transposed twice lies as it lay.
entry left_transposed [n] (_: i64) (_: [n]i64) (xs: [n]i64): [n][3]i64 =
  transpose (map (map g) (transpose (table xs)))
entry right_transposed [n] (_: i64) (_: [n]i64) (xs: [n]i64): [n][3]i64 = map (map g) (table xs)

-- Rows of columns are columns of rows.
entry left_sums [n] (_: i64) (_: [n]i64) (xs: [n]i64): i64 = i64.sum (map i64.sum (table xs))
entry right_sums [n] (_: i64) (_: [n]i64) (xs: [n]i64): i64 = i64.sum (map i64.sum (transpose (table xs)))

-- A sum of integers does not ask for their order.
entry left_reduced [n] (_: i64) (_: [n]i64) (xs: [n]i64): (i64, i64) = (i64.sum (map f xs), i64.maximum xs)
entry right_reduced [n] (_: i64) (is: [n]i64) (xs: [n]i64): (i64, i64) =
  let ys = map (\i -> xs[i]) is
  in (i64.sum (map f ys), i64.maximum ys)

-- Nor does a histogram ask for it.
entry left_counted [n] (_: i64) (_: [n]i64) (xs: [n]i64): [5]i64 =
  hist (+) 0 5 (map (% 7) xs) xs
entry right_counted [n] (_: i64) (is: [n]i64) (xs: [n]i64): [5]i64 =
  let ys = map (\i -> xs[i]) is
  in hist (+) 0 5 (map (% 7) ys) ys

-- What goes where a permutation says comes back by it.
entry left_scattered [n] (_: i64) (is: [n]i64) (xs: [n]i64): [n]i64 =
  let ys = scatter (replicate n 0) is (map f xs)
  in map (\i -> ys[i]) is
entry right_scattered [n] (_: i64) (_: [n]i64) (xs: [n]i64): [n]i64 = map f xs

-- A reduction of both parts is one of the whole, and the last sum of a scan.
entry left_parts [n] (k: i64) (_: [n]i64) (xs: [n]i64): i64 =
  let k = i64.min k n
  in i64.sum (map g xs[:k]) + i64.sum (map g xs[k:])
entry right_parts [n] (_: i64) (_: [n]i64) (xs: [n]i64): i64 =
  let sums = scan (+) 0 (map g xs)
  in if n == 0 then 0 else sums[n - 1]

-- Two filters are one of both conditions, and what a filter keeps may be mapped before.
entry left_filtered [n] (_: i64) (_: [n]i64) (xs: [n]i64): []i64 = map f (filter q (filter p xs))
entry right_filtered [n] (_: i64) (_: [n]i64) (xs: [n]i64): []i64 =
  map (.1) (filter (\(x, _) -> p x && q x) (zip xs (map f xs)))

-- Chunks of a map are a map of the whole; chunks of a sum are a sum.
entry left_chunks [n] (_: i64) (_: [n]i64) (xs: [n]i64): ([n]i64, i64) =
  (stream_map (\k (ys: [k]i64) -> map f ys) xs, stream_red (+) (\k (ys: [k]i64) -> i64.sum (map g ys)) xs)
entry right_chunks [n] (_: i64) (_: [n]i64) (xs: [n]i64): ([n]i64, i64) =
  (map f xs, i64.sum (map g xs))

-- A loop of updates is a map of the reverse.
entry left_reversed [n] (_: i64) (_: [n]i64) (xs: [n]i64): [n]i64 =
  loop ys = replicate n 0 for i < n do ys with [n - 1 - i] = f xs[i]
entry right_reversed [n] (_: i64) (_: [n]i64) (xs: [n]i64): [n]i64 = map f (reverse xs)
