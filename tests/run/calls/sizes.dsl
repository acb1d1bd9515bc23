-- Numbers that are arguments of a function and sizes of its results.
-- ==
-- entry: grid
-- input { 3i32 [1i32, 2i32] }
-- output { [[0i32, 0i32], [1i32, 2i32], [2i32, 4i32]] [[0i32, 0i32]] }
-- input { -1i32 [1i32, 2i32] }
-- error: Range 0..1..<-1 is invalid

-- ==
-- entry: in_tuples
-- input { 2i32 1i32 }
-- output { [0i64, 1i64] [7i32] [[true], [true]] 2i64 }

-- ==
-- entry: in_records
-- input { 2i32 }
-- output { [0i64, 1i64] [0i64, 1i64, 2i64, 3i64] 6i64 }

-- ==
-- entry: computed
-- input { 3i32 }
-- output { [0i64, 1i64] [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64] }
-- input { 0i32 }
-- error: Range 0..1..<-1 is invalid

-- ==
-- entry: zipped
-- input { 3i32 [5i64, 6i64, 7i64] }
-- output { [5i64, 7i64, 9i64] [5i64, 7i64, 9i64] 9i64 }
-- input { 2i32 [5i64, 6i64, 7i64] }
-- error: Value of shape \[3\] cannot match shape of type "\[2\]i64"

-- ==
-- entry: of_constants
-- input { 1i64 }
-- output { [1i64, 2i64, 3i64] [2i64, 4i64] [2i64, 4i64] }

-- ==
-- entry: of_a_size_parameter
-- input { 2i64 }
-- output { [5i64, 6i64] }
-- input { -1i64 }
-- error: Range 0..1..<-1 is invalid

-- ==
-- entry: rows
-- input { 1i64 2i64 }
-- output { [[5i64, 5i64]] }
-- input { 1i64 -2i64 }
-- error: Range 0..1..<-2 is invalid

-- ==
-- entry: in_functions
-- input { 2i64 }
-- output { [13i64, 13i64] }
-- input { -2i64 }
-- error: Range 0..1..<-2 is invalid

#[noinline]
def scaled [s] (n: i64) (xs: [s]i32): [n][s]i32 = map (\i -> map (* i32.i64 i) xs) (iota n)

entry grid [s] (n: i32) (xs: [s]i32): ([][s]i32, [][s]i32) = (scaled (i64.i32 n) xs, scaled (i64.i32 n - 2) xs)

#[noinline]
def tuple (n: i64) (m: i64): ([n]i64, [m]i32, [n][m]bool) =
  (iota n, replicate m 7, replicate n (replicate m true))

entry in_tuples (n: i32) (m: i32): ([]i64, []i32, [][]bool, i64) =
  let (n, m) = (i64.i32 n, i64.i32 m)
  let (a, b, c) = tuple n m
  in (a, b, c, length a * length b)

#[noinline]
def record (n: i64): {once: [n]i64, square: [n * n]i64} = {once = iota n, square = iota (n * n)}

entry in_records (n: i32): ([]i64, []i64, i64) =
  let r = record (i64.i32 n)
  in (r.once, r.square, i64.sum r.square)

#[noinline]
def ranges (n: i64): ([n - 1]i64, [n * n]i64) = (iota (n - 1), iota (n * n))

entry computed (n: i32): ([]i64, []i64) = ranges (i64.i32 n)

#[noinline]
def count (n: i64): [n]i64 = iota n

entry zipped [s] (n: i32) (xs: [s]i64): ([]i64, []i64, i64) =
  let n = i64.i32 n
  let ys = xs :> [n]i64
  let sums = map2 (+) ys (count n)
  in (sums, map2 (+) (count n) ys, last sums)

#[noinline]
def from (n: i64) (x: i64): [n]i64 = map (+ x) (iota n)

entry of_constants (x: i64): ([]i64, []i64, []i64) =
  let twos = map2 (+) (from 2 x) [1, 2]
  in (from 3 x, twos, map2 (+) [1, 2] (from 2 x) :> [2]i64)

#[noinline]
def counted [n] (x: i64): [n]i64 = map (+ x) (iota n)

entry of_a_size_parameter (n: i64): []i64 = let xs: [n]i64 = counted 5 in xs

#[noinline]
def constant [n] (x: i64): [n]i64 = if x > 100 then map (+ x) (iota n) else replicate n x

entry rows (n: i64) (m: i64): [n][m]i64 = let rows: [n][m]i64 = replicate n (constant 5) in rows

#[noinline]
def twice 'a (f: a -> a) (x: a): a = f (f x)

entry in_functions (n: i64): []i64 =
  let put (x: i64): [n]i64 = constant x
  let a = twice (map (+ 1)) (put 1)
  in map2 (+) a (put 10)

-- Sizes computed from unknown sizes of the same result, in functions that stay functions.
-- ==
-- entry: of_unknown_sizes
-- input { 3i64 } output { 3i64 2i64 [0i64, 1i64, 2i64, 0i64, 1i64] }

-- ==
-- entry: of_an_unknown_size_and_an_argument
-- input { 3i64 } output { 3i64 [0i64, 1i64, 2i64, 0i64, 1i64, 2i64] }

#[noinline]
def joined (n: i64): ?[a][b].([a + b]i64, [a]i64, [b]i64) =
  let (xs, ys) = (filter (< n) (iota 9), filter (< n - 1) (iota 9))
  in (xs ++ ys, xs, ys)

entry of_unknown_sizes (n: i64): (i64, i64, []i64) =
  let (zs, xs, ys) = joined n
  in (length xs, length ys, map2 i64.max zs (xs ++ ys))

#[noinline]
def extended (n: i64): ?[a].([a + n]i64, [a]i64) =
  let xs = filter (< n) (iota 9)
  in (xs ++ iota n, xs)

entry of_an_unknown_size_and_an_argument (n: i64): (i64, []i64) =
  let (ys, xs) = extended n
  in (length xs, map2 i64.max ys (xs ++ iota n))
