-- An assertion does not change the size after it. It is checked when the expression is evaluated, not in types.
-- ==
-- entry: named
-- input { 3i64 } output { [0i64, 1, 2] }
-- input { 0i64 } error: Assertion is false

-- ==
-- entry: computed
-- input { [1i64, 4] } output { [0i64, 1, 2, 3] }
-- input { [4i64, 1] } error: Assertion is false

-- ==
-- entry: written
-- input { 2i64 } output { [5, 5] }

entry named (n: i64): [n]i64 = iota (assert (n > 0) n)

entry computed (ns: [2]i64): [ns[1]]i64 = iota (assert (ns[0] < ns[1]) ns[1])

def few (n: i64) (x: i32): [assert (n < 5) n]i32 = replicate n x

entry written (n: i64): [n]i32 = few n 5
