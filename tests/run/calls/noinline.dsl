-- Functions that are not inlined: called at the top level, in lambdas, and by each other.
-- ==
-- entry: numbers
-- input { 3i32 4i32 }
-- output { 25i32 49i32 }

-- ==
-- entry: arrays
-- input { [1i32, 2i32, 3i32] 2i64 }
-- output { [2i32, 3i32, 4i32] [1i32, 2i32] [3i32] 6i32 }

-- ==
-- entry: in_lambdas
-- input { [[1i32, 2i32], [3i32, 4i32]] }
-- output { [5i32, 25i32] [[2i32, 3i32], [4i32, 5i32]] }

-- ==
-- entry: updated
-- input { [1i32, 2i32, 3i32] }
-- output { [7i32, 2i32, 3i32] [1i32, 2i32, 3i32] }

-- ==
-- entry: checked
-- input { [1i32, 2i32] 1i64 }
-- output { 2i32 }
-- input { [1i32, 2i32] 2i64 }
-- error: Index \[2\] out of bounds for array of shape \[2\]

-- ==
-- entry: shared
-- input { [1i32, 2i32] }
-- output { [1i32, 2i32] [1i32, 2i32] [5i32, 2i32] }

-- ==
-- entry: tuples
-- input { [1i32, 2i32] [3i64, 4i64] }
-- output { [2i32, 1i32] [4i64, 3i64] }

-- ==
-- entry: with_table
-- input { [0i64, 3i64] }
-- output { [1i64, 10i64] 5i64 }

-- ==
-- entry: nothing_given
-- input { }
-- output { 42i32 }

#[noinline]
def square (x: i32): i32 = x * x

#[noinline]
def norm (x: i32) (y: i32): i32 = square x + square y

entry numbers (x: i32) (y: i32): (i32, i32) = (norm x y, square (x + y))

#[noinline]
def increased [n] (xs: [n]i32): [n]i32 = map (+ 1) xs

#[noinline]
def cut [n] (xs: [n]i32) (k: i64): ([]i32, []i32) = (xs[:k], xs[k:])

#[noinline]
def sum [n] (xs: [n]i32): i32 = reduce (+) 0 xs

entry arrays [n] (xs: [n]i32) (k: i64): ([n]i32, []i32, []i32, i32) =
  let (front, back) = cut xs k
  in (increased xs, front, back, sum xs)

#[noinline]
def row_norm [n] (row: [n]i32): i32 = reduce (+) 0 (map (\x -> square x) row)

entry in_lambdas [n][m] (rows: [n][m]i32): ([n]i32, [n][m]i32) =
  (map row_norm rows, map increased rows)

#[noinline]
def put [n] (xs: *[n]i32) (x: i32): *[n]i32 = xs with [0] = x

entry updated [n] (xs: [n]i32): ([n]i32, [n]i32) = (put (copy xs) 7, xs)

#[noinline]
def at [n] (xs: [n]i32) (i: i64): i32 = xs[i]

entry checked (xs: []i32) (i: i64): i32 = at xs i

#[noinline]
def same [n] (xs: [n]i32): [n]i32 = xs

entry shared [n] (xs: [n]i32): ([n]i32, [n]i32, [n]i32) =
  let ys = copy (same xs)
  in (same xs, same (same xs), ys with [0] = 5)

#[noinline]
def backwards [n] 'a (xs: [n]a): [n]a = reverse xs

entry tuples [n] (xs: [n]i32) (ys: [n]i64): ([n]i32, [n]i64) = unzip (backwards (zip xs ys))

def table: [4]i64 = map (\i -> i * i + 1) (iota 4)

#[noinline]
def look_up (i: i64): i64 = table[i]

entry with_table [n] (is: [n]i64): ([n]i64, i64) = (map look_up is, look_up 2)

#[noinline]
def answer (): i32 = 42

entry nothing_given: i32 = answer ()
