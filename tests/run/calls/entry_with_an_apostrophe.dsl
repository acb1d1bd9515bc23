-- The name of an entry point, like any name, may end with apostrophes.
-- ==
-- entry: step'
-- input { 4 } output { 9 }
-- entry: step''
-- input { [1, 2] } output { [3, 5] }

def step (x: i32): i32 = 2 * x

entry step' (x: i32): i32 = step x + 1

entry step'' [n] (xs: [n]i32): [n]i32 = map step' xs
