-- A size that is negative or exceeds an i64 is an error before the array is created, even if only
-- the size is used.
-- ==
-- entry: counted
-- input { 3i64 }
-- output { 3i64 }
-- input { -5i64 }
-- error: Range 0..1..<-5 is invalid
-- entry: constant
-- input { }
-- error: Range 0..1..<-5 is invalid
-- entry: rows
-- input { [1i64, 2i64] 3i64 }
-- output { [4i64, 5i64] }
-- input { [1i64, 2i64] -1i64 }
-- error: Range 0..1..<-1 is invalid
-- entry: between
-- input { 2i64 7i64 }
-- output { 5i64 }
-- input { 7i64 2i64 }
-- error: Range 7..<2 is invalid
-- input { -9223372036854775807i64 9223372036854775807i64 }
-- error: is invalid
-- entry: slice
-- input { [1, 2, 3] 1i64 3i64 }
-- output { 2i64 }
-- input { [1, 2, 3] 3i64 1i64 }
-- error: Index \[3:1\] out of bounds for array of shape \[3\]
-- entry: square
-- input { 5i64 }
-- output { 25i64 }
-- input { 4611686018427387904i64 }
-- error: Size 4611686018427387904 \* 4611686018427387904 is too large
-- entry: twice
-- input { 5i64 }
-- output { 10i64 }
-- input { 4611686018427387904i64 }
-- error: Size 4611686018427387904 \+ 4611686018427387904 is too large
-- entry: wrapped
-- input { 0i64 }
-- error: Index \[0, 0\] out of bounds for array of shape \[0\]\[0\]
-- input { 4294967296i64 }
-- error: Size 4294967296 \* 4294967296 is too large

entry counted (n: i64): i64 = length (iota n)

entry constant: i64 = length (iota (-5))

entry rows [k] (xs: [k]i64) (n: i64): [k]i64 = map (\x -> x + length (iota n)) xs

entry between (a: i64) (b: i64): i64 = length (a..<b)

entry slice [n] (xs: [n]i32) (i: i64) (j: i64): i64 = length xs[i:j]

-- Rows without elements, so that only the sizes are too large.
def none: [0]i32 = []

entry square (n: i64): i64 = length (flatten (replicate n (replicate n none)))

entry twice (n: i64): i64 = length (replicate n none ++ replicate n none)

-- The product of the two sizes overflows to that of the array.
entry wrapped (n: i64): i32 = (unflatten (none :> [n * n]i32) :> [n][n]i32)[0, 0]
