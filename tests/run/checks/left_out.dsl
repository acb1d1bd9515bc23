-- The check of a value that the program uses stays, even if the result is the same for all values.
-- ==
-- entry: zero
-- input { [4i64] 0i64 } output { 0i64 }
-- input { [4i64] 2i64 } error: Index \[2\] out of bounds for array of shape \[1\]

-- ==
-- entry: masked
-- input { [4i64] 0i64 } output { 0i64 }
-- input { [4i64] -1i64 } error: Index \[-1\] out of bounds for array of shape \[1\]

-- ==
-- entry: difference
-- input { [4i64] 0i64 } output { 0i64 }
-- input { [4i64] 2i64 } error: Index \[2\] out of bounds

-- ==
-- entry: cancelled
-- input { 3i64 [4i64] 0i64 } output { 3i64 }
-- input { 3i64 [4i64] 2i64 } error: Index \[2\] out of bounds

-- ==
-- entry: same
-- input { [4i64] 0i64 } output { true }
-- input { [4i64] 2i64 } error: Index \[2\] out of bounds

-- ==
-- entry: counted
-- input { 2i64 [1i64, 0i64] } output { [1i64, 0i64] }
-- input { 2i64 [1i64, 5i64] } error: Index \[5\] out of bounds for array of shape \[2\]

-- ==
-- entry: least
-- input { 2i64 1i64 } output { -1i64 }
-- input { 2i64 2i64 } error: Index \[2\] out of bounds

-- ==
-- entry: branch
-- input { [4i64] 0i64 } output { 1i64 }
-- input { [4i64] 2i64 } error: Index \[2\] out of bounds

-- ==
-- entry: indirect
-- input { [4i64] 0i64 } output { 5i64 }
-- input { [4i64] 2i64 } error: Index \[2\] out of bounds

-- ==
-- entry: sum
-- input { [4i64] [0i64, 0i64] } output { 0i64 }
-- input { [4i64] [0i64, 2i64] } error: Index \[2\] out of bounds

-- ==
-- entry: scanned
-- input { [4i64] [0i64, 0i64] } output { [0i64, 0i64] }
-- input { [4i64] [0i64, 2i64] } error: Index \[2\] out of bounds

-- ==
-- entry: carried
-- input { [4i64] [0i64, 0i64] } output { 0i64 }
-- input { [4i64] [2i64, 0i64] } error: Index \[2\] out of bounds

-- ==
-- entry: quotient
-- input { 4i64 2i64 } output { 0i64 }
-- input { 4i64 0i64 } error: division by zero

-- ==
-- entry: size
-- input { 4i64 } output { true }
-- input { -4i64 } error: Range 0..1..<-4 is invalid

-- A logical operator need not evaluate both sides, and an unused value is not computed.
-- ==
-- entry: either
-- input { [4i64] 0i64 } output { true }

-- ==
-- entry: unused
-- input { [4i64] 0i64 } output { 1i64 }

entry zero (xs: []i64) (i: i64): i64 = xs[i] * 0

entry masked (xs: []i64) (i: i64): i64 = xs[i] & 0

entry difference (xs: []i64) (i: i64): i64 = xs[i] - xs[i]

entry cancelled (x: i64) (xs: []i64) (i: i64): i64 = x + xs[i] - xs[i]

entry same (xs: []i64) (i: i64): bool = xs[i] == xs[i]

entry counted (n: i64) (is: []i64): []i64 = filter (\i -> (iota n)[i] >= 0) is

entry least (n: i64) (i: i64): i64 = i64.min (-1) ((iota n)[i])

entry branch (xs: []i64) (i: i64): i64 = if xs[i] > 0 then 1 else 1

entry indirect (xs: []i64) (i: i64): i64 = (replicate 3 5)[xs[i] % 3]

entry sum (xs: []i64) (is: []i64): i64 = 0 * i64.sum (map (\i -> xs[i]) is)

entry scanned [n] (xs: []i64) (is: [n]i64): [n]i64 = map (\sum -> sum * 0) (scan (+) 0 (map (\i -> xs[i]) is))

entry carried (xs: []i64) (is: []i64): i64 =
  let (_, sum) = loop (x, sum) = (0, 0) for i in is do (xs[i], sum + x * 0)
  in sum

entry quotient (x: i64) (y: i64): i64 = (x / y) * 0

entry size (n: i64): bool = length (iota n) >= 0

entry either (xs: []i64) (i: i64): bool = true || xs[i] > 0

entry unused (xs: []i64) (i: i64): i64 = let _ = xs[i] in 1
