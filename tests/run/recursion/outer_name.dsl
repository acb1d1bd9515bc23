-- If a function cannot be recursive, its name refers to the outer definition; likewise in constants and local
-- functions.
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
-- tags { no_gpu }
-- entry: down
-- input { 3 } output { 6 }
module other = { def down (n: i32) = 100 * n }
open other
entry down (n: i32): i32 = if n == 0 then 0 else n + down (n - 1)
