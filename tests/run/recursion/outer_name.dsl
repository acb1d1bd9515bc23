-- In its own body, the name of a function refers to an outer definition of the program, if there is one; likewise in
-- constants and local functions.
-- ==
-- entry: taken_apart
-- input { 1.5f32 2i64 } output { 3.5f32 }
def f (t: f32) (h: i64): f32 = t + f32.i64 h
module by_fields = { def f {t: f32, h: i64} = f t h }
entry taken_apart (t: f32) (h: i64): f32 = by_fields.f {t, h}

-- ==
-- entry: inferred
-- input { 3 4 } output { 8 }
def sum x y = x + y + 1i32
module of_pairs = { def sum (x, y) = sum x y }
entry inferred (x: i32) (y: i32): i32 = of_pairs.sum (x, y)

-- ==
-- entry: by_constants
-- input { 3 } output { 8 7 }
def start = 4i32
module next = { def start = start + 1 }
entry by_constants (x: i32): (i32, i32) = (x + next.start, x + start)

-- ==
-- entry: by_local_functions
-- input { 3 } output { 14 }
def twice (x: i32) = 2 * x
entry by_local_functions (x: i32): i32 = let twice y = twice y + 1 in twice (twice x) - 1

-- ==
-- entry: by_opened_functions
-- input { 3 } output { 203 }
module other = { def down (n: i32) = 100 * n }
open other
def down (n: i32): i32 = if n == 0 then 0 else n + down (n - 1)
entry by_opened_functions (x: i32): i32 = down x

-- ==
-- entry: of_the_same_type
-- input { 3 } output { 5 12 }
def after (x: i32): i32 = x + 1
module of_after = {
  def after (x: i32): i32 = after (after x)
  module inner = { def after (x: i32): i32 = 2 * after x + 2 }
}
entry of_the_same_type (x: i32): (i32, i32) = (of_after.after x, of_after.inner.after x)

-- ==
-- entry: by_parameters_of_modules
-- input { 3 } output { 8 16 }
module type step = { val step: i32 -> i32 }
module repeated (s: step) = { open s def step (x: i32): i32 = step (step x) }
module once = { def step (x: i32): i32 = 2 * x - 2 }
module two_times = repeated once
module four_times = repeated two_times
entry by_parameters_of_modules (x: i32): (i32, i32) = (two_times.step x + 2, four_times.step x - 2)

-- ==
-- entry: by_operators
-- input { 3 } output { 7 }
def (+++) (x: i32) (y: i32): i32 = x + y
module of_operators = { def (+++) (x: i32) (y: i32): i32 = x +++ y +++ 1 }
entry by_operators (x: i32): i32 = x of_operators.+++ x
