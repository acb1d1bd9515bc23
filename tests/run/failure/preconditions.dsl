-- `assert c e` evaluates `c` first. If `c` does not hold, `e` is not evaluated: it does not fail, exhaust the memory
-- or loop for ever.
-- ==
-- entry: element last_element head_of_none kept_by_a_filter
-- input { [1, 2, 3] } output { 3 }
-- input { empty([0]i32) } error: Assertion is false: \(n > 0\)
entry element [n] (xs: [n]i32): i32 = assert (n > 0) (xs[n - 1])

entry last_element [n] (xs: [n]i32): i32 = assert (n > 0) (last xs)

entry head_of_none [n] (xs: [n]i32): i32 = assert (n > 0) (let ys = map (* 3) xs in head ys)

entry kept_by_a_filter [n] (xs: [n]i32): i32 = assert (n > 0) (last (filter (> 0) xs))

-- ==
-- entry: quotient
-- input { 5i64 } output { 2 }
-- input { 0i64 } error: Assertion is false: \(n > 0\)
entry quotient (n: i64): i32 = assert (n > 0) (10 / i32.i64 n)

-- ==
-- entry: never_right
-- input { 5i64 } error: division by zero
-- input { 0i64 } error: Assertion is false: \(n > 0\)
entry never_right (n: i64): i32 = assert (n > 0) (1 / 0)

-- ==
-- entry: points
-- input { [3, 2, 1] } output { [2, 3, 6] }
-- input { [3, 0] } error: Assertion is false: \(n > 2\)
-- input { [3, 0, 1] } error: division by zero
entry points [n] (xs: [n]i32): [n]i32 = assert (n > 2) (map (\x -> 6 / x) xs)

-- ==
-- entry: rounds
-- input { 5i64 } output { 1i64 }
-- input { 0i64 } error: Assertion is false: \(n > 0\)
entry rounds (n: i64): i64 = assert (n > 0) (loop n while n != 1 do n / 2)

-- ==
-- entry: memory
-- input { 2i64 } output { 7 }
-- input { 2000000000000i64 } error: Assertion is false: \(n < 10\)
entry memory (n: i64): i32 = assert (n < 10) ((copy (replicate (n * 4) 7))[n])

-- ==
-- entry: nested
-- input { [1, 1, 5] } output { 5 }
-- input { empty([0]i32) } error: Assertion is false: \(n > 0\)
-- input { [0] } error: Assertion is false: \(xs\[0\] > 0\)
-- input { [1] } error: Index \[1\] out of bounds for array of shape \[1\]
-- input { [1, 0] } error: Assertion is false: \(xs\[1\] > 0\)
-- input { [1, 1] } error: Index \[2\] out of bounds for array of shape \[2\]
entry nested [n] (xs: [n]i32): i32 = assert (n > 0) (assert (xs[0] > 0) (assert (xs[1] > 0) xs[2]))

-- ==
-- entry: function
-- input { 5i64 2i64 } output { 2i64 }
-- input { 5i64 0i64 } error: Assertion is false: \(k > 0\)
entry function (n: i64) (k: i64): i64 = (assert (k > 0) (\n -> n / k)) n
