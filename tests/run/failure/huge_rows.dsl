-- Rows of nearly 2^63 points, all of which run in parallel on a GPU. The model of a GPU has a limit on the points of all rows
-- together. The GPU has no such limit: a workgroup runs the points of a row in turns.
-- ==
-- tags { no_model }
-- input { 9223372036854775807i64 } error: Assertion is false: \(i < 5\)|not enough memory
-- input { 9223372036854775296i64 } error: Assertion is false: \(i < 5\)|not enough memory
-- input { 5i64 } output { 10i64 }
-- input { 0i64 } output { 0i64 }
def few (i: i64): i64 = assert (i < 5) i
entry main (n: i64): i64 = (map (\j -> i64.sum (map (\i -> few i * j) (iota n))) (iota 2))[1]
