-- The memory of array arguments and results of functions: slices, views and updated arrays.
-- ==
-- entry: views
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- output { [[2i32, 5i32], [3i32, 6i32], [4i32, 7i32]] [7i32, 4i32] [3i32, 2i32, 1i32] 12i32 }

-- ==
-- entry: handed_through
-- input { [1i32, 2i32] [3i32, 4i32] }
-- output { [3i32, 4i32] [1i32, 2i32] [1i32, 2i32] [1i32, 2i32] }

-- ==
-- entry: swapped
-- input { 3i32 [1i32, 2i32] [3i32, 4i32] }
-- output { [3i32, 4i32] [1i32, 2i32] [[3i32, 4i32], [13i32, 14i32]] [[1i32, 2i32], [1i32, 2i32]] }

-- ==
-- entry: rows_updated
-- input { [[1i32, 2i32], [3i32, 4i32]] }
-- output { [[9i32, 2i32], [9i32, 4i32]] [[1i32, 9i32], [3i32, 4i32]] }

-- ==
-- entry: on_one_side
-- input { true [1i32, 2i32] }
-- output { [9i32, 2i32] [1i32, 2i32] [[1i32, 2i32], [9i32, 2i32]] }
-- input { false [1i32, 2i32] }
-- output { [1i32, 2i32] [1i32, 2i32] [[9i32, 2i32], [1i32, 2i32]] }

-- ==
-- entry: operators
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] }
-- output { [9i64, 12i64] [[1i64, 2i64], [4i64, 6i64], [9i64, 12i64]] [15i64, 1i64] }

-- ==
-- entry: nothing_in_threads
-- input { [1i32, 2i32] }
-- output { [0i64, 0i64] }

#[noinline]
def increased [n] (xs: [n]i32): [n]i32 = map (+ 1) xs

#[noinline]
def total [n] (xs: [n]i32): i32 = i32.sum xs

entry views [n][m] (xs: [n][m]i32): ([m][n]i32, [n]i32, [m]i32, i32) =
  (map increased (transpose xs), increased (reverse xs)[:, 2], reverse xs[0], total (flatten xs)[1::2])

#[noinline]
def exchanged [n] (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32) = (ys, xs)

#[noinline]
def doubled [n] (xs: [n]i32): ([n]i32, [n]i32) = (xs, xs)

entry handed_through [n] (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32, [n]i32, [n]i32) =
  let (a, b) = exchanged xs ys
  let (c, d) = doubled b
  in (a, b, c, d)

#[noinline]
def turned [n] (xs: *[n]i32) (ys: *[n]i32): (*[n]i32, *[n]i32) = (ys, xs)

entry swapped [n] (k: i32) (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32, [2][n]i32, [2][n]i32) =
  let (a, b) = loop (a, b) = (copy xs, copy ys) for _i < k do turned a b
  let (c, d) =
    unzip (map (\j -> loop (a, b) = (copy xs, map (+ (10 * j)) ys) for _i < k do turned a b) [0, 1])
  in (a, b, c, d)

#[noinline]
def put [n] (xs: *[n]i32) (i: i64) (x: i32): *[n]i32 = xs with [i] = x

entry rows_updated [n] (xs: [n][2]i32): ([n][2]i32, [n][2]i32) =
  (map (\row -> put (copy row) 0 9) xs, copy xs with [0] = put (copy xs[0]) 1 9)

entry on_one_side [n] (c: bool) (xs: [n]i32): ([n]i32, [n]i32, [2][n]i32) =
  let ys = if c then put (copy xs) 0 9 else xs
  let zs = map (\d -> if c == d then copy xs else put (copy xs) 0 9) [true, false]
  in (ys, xs, zs)

#[noinline]
def added [n] (xs: [n]i64) (ys: [n]i64): [n]i64 = map2 (+) xs ys

#[noinline]
def collatz (n: i64): i64 = if n % 2 == 0 then n / 2 else 3 * n + 1

#[noinline]
def steps (n: i64): i64 = (loop (k, m) = (0, n) while m > 2 do (k + 1, collatz m)).0

entry operators [n] (xs: [n][2]i64): ([2]i64, [n][2]i64, [2]i64) =
  (reduce added [0, 0] xs, scan added [0, 0] xs, map steps [7, 4])

#[noinline]
def none (_: i32): []i64 = []

entry nothing_in_threads (xs: []i32): []i64 = map (\x -> length (none x)) xs
