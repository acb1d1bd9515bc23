-- Failures name the calls that lead to them, through functions that are inlined, specialised or called, and
-- through functions that array operators apply.
-- ==
-- entry: put_in_place
-- input { [1, 2] 2i64 }
-- error: ^Index \[3\] out of bounds for array of shape \[2\]\.\n\nBacktrace:\n-> #0 .*backtraces\.dsl:44:\d+-\d+\n   #1 .*dsl:45:\d+-\d+\n   #2 .*dsl:59:\d+-\d+$

-- ==
-- entry: applied
-- input { [1, 2] [0i64, 2i64] }
-- error: -> #0 .*dsl:44:\d+-\d+\n   #1 .*dsl:45:\d+-\d+\n   #2 .*dsl:60:\d+-\d+$

-- The backtrace of each of two calls names that call.
-- ==
-- entry: twice
-- input { [1, 2] 0i64 5i64 }
-- error: -> #0 .*dsl:44:\d+-\d+\n   #1 .*dsl:45:\d+-\d+\n   #2 .*dsl:64:\d+-\d+$
-- input { [1, 2] 5i64 0i64 }
-- error: -> #0 .*dsl:44:\d+-\d+\n   #1 .*dsl:45:\d+-\d+\n   #2 .*dsl:63:\d+-\d+$

-- ==
-- entry: specialised
-- input { [1, 2] 0i64 5i64 }
-- error: -> #0 .*dsl:68:\d+-\d+\n   #1 .*dsl:48:\d+-\d+\n   #2 .*dsl:68:\d+-\d+$
-- input { [1, 2] 5i64 0i64 }
-- error: -> #0 .*dsl:67:\d+-\d+\n   #1 .*dsl:48:\d+-\d+\n   #2 .*dsl:67:\d+-\d+$

-- The backtrace of a constant has no calls.
-- ==
-- entry: constant
-- input { 0i64 }
-- error: -> #0 .*dsl:50:\d+-\d+\n   #1 .*dsl:50:\d+-\d+$

-- A failure in the prelude has the place of the application.
-- ==
-- entry: in_the_prelude
-- input { [[1, 2], [3, 4]] 3i64 }
-- error: -> #0 .*dsl:52:72-82\n   #1 .*dsl:52:55-87\n   #2 .*dsl:72:\d+-\d+$

-- ==
-- entry: called
-- input { [3, 1] }
-- error: ^division by zero\n\nBacktrace:\n-> #0 .*dsl:56:\d+-\d+\n   #1 .*dsl:74:\d+-\d+\n   #2 .*dsl:74:\d+-\d+$
def at [n] (xs: [n]i32) (i: i64): i32 = xs[i]
def next [n] (xs: [n]i32) (i: i64): i32 = at xs (i + 1)

def after (f: i64 -> i32) (i: i64): i32 =
  f (i + 1)

def table: [3]i64 = map (\i -> 6 / (i - 1)) (iota 3)

def picked [n][m] (i: i64) (xss: [n][m]i32): [n]i32 = map (\xs -> last (take i xs)) xss

-- Also if the call is not inlined.
#[noinline]
def tenth (x: i32): i32 = 10 / x

-- A function that is called from outside.
entry put_in_place (xs: []i32) (i: i64): i32 = next xs i
entry applied (xs: []i32) (is: []i64): []i32 = map (next xs) is

entry twice (xs: []i32) (i: i64) (j: i64): i32 =
  next xs i
  - next xs j

entry specialised (xs: []i32) (i: i64) (j: i64): i32 =
  after (\k -> xs[k - 1]) i
  - after (\k -> xs[k]) j

entry constant (i: i64): i64 = #[unsafe] table[i]

entry in_the_prelude (xss: [][]i32) (i: i64): []i32 = picked i xss

entry called (xs: []i32): []i32 = map (\x -> tenth (x - 1)) xs
