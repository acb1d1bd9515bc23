-- A size that only the type of an argument that is a function determines.
-- ==
-- entry: of_a_parameter
-- input { [3i64] 0i64 } output { 3i64 }
-- input { [3i64] 1i64 } error: ^Index \[1\] out of bounds for array of shape \[1\]\.

-- The function is not applied, so a failure in its body does not occur.
-- ==
-- entry: of_a_constant
-- input { [1, 2] 1i64 } output { 3i64 }
-- input { [1, 2] 5i64 } output { 7i64 }

-- ==
-- entry: applied
-- input { 3i64 5i64 } output { 11i64 }
-- input { 0i64 5i64 } output { 5i64 }

-- ==
-- entry: of_a_result
-- input { [3, 4] } output { [4, 5, 4, 5] }
-- input { empty([0]i32) } output { empty([0]i32) }

-- ==
-- entry: of_a_coerced_result
-- input { [3i64] } output { 3i64 }
-- input { [4i64] } error: ^Value of shape \[4\] cannot match shape of type "\[3\]i64"\.

-- ==
-- entry: of_two
-- input { [2i64, 3i64] } output { 5i64 }

def size [n] (_: [n]i32 -> i32) (k: i64): i64 = n + k

def value [n] (g: [n]i32 -> i32) (k: i64): i64 = n + k + i64.i32 (g (replicate n 1))

def twice 'a [n] (g: i64 -> [n]a): [2 * n]a =
  let v = g 1
  in v ++ v :> [2 * n]a

def first [n] (g: i64 -> [n]i64): i64 = n + (g 0)[0]

def sum [n] [m] (_: [n]i32 -> [m]i32): i64 = n + m

entry of_a_parameter (xs: []i64) (i: i64): i64 =
  let m = xs[i]
  in size (\(v: [m]i32) -> v[0]) 0

entry of_a_constant (xs: []i32) (i: i64): i64 = size (\(v: [2]i32) -> v[0] + xs[i]) i

entry applied (n: i64) (k: i64): i64 = value (\(v: [n]i32) -> i32.sum v) k

entry of_a_result (xs: []i32): []i32 = twice (\i -> map (+ i32.i64 i) xs)

entry of_a_coerced_result (xs: []i64): i64 = first (\x -> replicate xs[0] x :> [3]i64)

entry of_two (xs: []i64): i64 = sum (\(_: [xs[0]]i32) -> replicate xs[1] 0)
