-- A check on which an empty tuple depends is evaluated, although the result has no data.
-- ==
-- entry: only
-- input { 1 } output { }
-- input { 0 } error: Assertion is false: \(x > 0\)

-- ==
-- entry: beside
-- input { 1 } output { 2 }
-- input { 0 } error: Assertion is false: \(x > 0\)

-- ==
-- entry: in_a_loop
-- input { 2i64 [1, 2, 0] } output { }
-- input { 3i64 [1, 2, 0] } error: Assertion is false: \(xs\[i\] > 0\)
-- input { 4i64 [1, 2, 3] } error: Index \[3\] out of bounds for array of shape \[3\]

-- ==
-- entry: reduced
-- input { [1, 2] } output { }
-- input { [1, 0] } error: Assertion is false: \(x > 0\)

-- ==
-- entry: of_a_branch
-- input { true 1 } output { }
-- input { false 0 } output { }
-- input { true 0 } error: Assertion is false: \(x > 0\)

-- ==
-- entry: payload
-- input { 1 } output { 0 }
-- input { 9 } output { 1 }
-- input { 0 } error: Assertion is false: \(x > 0\)

-- ==
-- entry: through_a_function
-- input { [1] } output { }
-- input { empty([0]i32) } error: Index \[0\] out of bounds for array of shape \[0\]

def positive (x: i32): () = assert (x > 0) ()

entry only (x: i32): () = positive x

entry beside (x: i32): ((), i32) = (positive x, 2)

entry in_a_loop (n: i64) (xs: []i32): () = loop () for i < n do assert (xs[i] > 0) ()

entry reduced (xs: []i32): () = reduce (\() () -> ()) () (map positive xs)

entry of_a_branch (c: bool) (x: i32): () = if c then positive x else ()

entry payload (x: i32): #a () | #b = if x < 5 then #a (positive x) else #b

#[noinline] def first_is_positive (xs: []i32): () = positive xs[0]

entry through_a_function (xs: []i32): () = first_is_positive xs
