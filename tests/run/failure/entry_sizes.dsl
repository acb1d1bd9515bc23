-- The sizes of an entry point's arguments are checked before its code runs, even if the code does not use them.
-- ==
-- entry: number
-- input { 3i64 [1i64, 2i64, 3i64] } output { 3i64 }
-- input { 2i64 [1i64, 2i64, 3i64] } error: invalid sizes: value of shape \[3\] cannot match shape of type "\[2\]i64"

-- ==
-- entry: computed
-- input { 2i64 [1, 2, 3, 4] } output { 2i64 }
-- input { 2i64 [1, 2, 3] } error: invalid sizes: value of shape \[3\] cannot match shape of type "\[4\]i32"

-- ==
-- entry: constant
-- input { 2i64 [1, 2] [1, 2, 3] } output { 7 }
-- input { 2i64 [1] [1, 2, 3] } error: invalid sizes: value of shape \[1\] cannot match shape of type "\[2\]i32"
-- input { 2i64 [1, 2] [1, 2] } error: invalid sizes: value of shape \[2\] cannot match shape of type "\[3\]i32"
-- input { 2i64 [1] [1, 2] } error: invalid sizes: value of shape \[1\] cannot match shape of type "\[2\]i32"

-- ==
-- entry: counted
-- input { 2i64 [1, 2] } output { [0i64, 1i64] }
-- input { -1i64 [1, 2] } error: invalid sizes: value of shape \[2\] cannot match shape of type "\[-1\]i32"

-- ==
-- entry: read
-- input { 2i64 [1, 2] 1i64 } output { 8 }
-- input { 2i64 [1, 2] 3i64 } error: Index \[3\] out of bounds for array of shape \[3\]
-- input { 3i64 [1, 2] 3i64 } error: invalid sizes: value of shape \[2\] cannot match shape of type "\[3\]i32"

-- ==
-- entry: held
-- input { 2i64 [1, 2] } output { 2i64 }
-- input { 9i64 [1, 2] } error: invalid sizes: value of shape \[2\] cannot match shape of type "\[9\]i32"
-- input { 1i64 [1] } error: Assertion is false

-- ==
-- entry: one_of_two
-- input { 2i64 [1, 2] [5, 6] } output { [6, 7] 5i32 }
-- input { 1i64 [1, 2] [5, 6] } error: invalid sizes: value of shape \[2\] cannot match shape of type "\[1\]i32"

-- ==
-- entry: empty_tuple
-- input { 2i64 [1, 2, 3] } output { }
-- input { 2i64 [1, 2] } error: invalid sizes: value of shape \[2\] cannot match shape of type "\[3\]i32"

-- ==
-- entry: empty_record
-- input { 0i64 empty([0]i32) } output { }
-- input { -1i64 empty([0]i32) } error: invalid sizes: value of shape \[0\] cannot match shape of type "\[-1\]i32"

-- ==
-- entry: empty_tuples
-- input { 2i64 [1, 2] } output { }
-- input { 2i64 [1] } error: invalid sizes: value of shape \[1\] cannot match shape of type "\[2\]i32"

entry number (k: i64) (_: [k]i64): i64 = k

entry computed (k: i64) (_: [2 * k]i32): i64 = k

entry constant (n: i64) (_: [n]i32) (_: [n + 1]i32): i32 = 7

entry counted (k: i64) (_: [k]i32): []i64 = iota k

entry read (k: i64) (_: [k]i32) (i: i64): i32 = [7, 8, 9][i]

entry held (k: i64) (_: [k]i32): i64 = assert (k > 1) k

entry one_of_two (k: i64) (_: [k]i32) (ys: []i32): ([]i32, i32) = (map (+ 1) ys, ys[0])

entry empty_tuple (k: i64) (_: [k + 1]i32): () = ()

entry empty_record (k: i64) (_: [k]i32): {} = {}

entry empty_tuples (k: i64) (_: [k]i32): ((), {a: ()}) = ((), {a = ()})
