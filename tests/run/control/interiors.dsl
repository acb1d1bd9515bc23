-- Loops whose first and last iterations differ: clamps, borders and checks, with no interior and with a long one.
-- ==
-- entry: clamped bordered
-- input { empty([0]f64) }
-- output { empty([0]f64) }

-- ==
-- entry: clamped
-- input { [1.0] }
-- output { [2.0] }
-- input { [1.0, 2.0] }
-- output { [3.0, 3.0] }
-- input { [1.0, 2.0, 4.0, 8.0, 16.0] }
-- output { [3.0, 5.0, 10.0, 20.0, 24.0] }

-- ==
-- entry: bordered
-- input { [1.0] }
-- output { [0.0] }
-- input { [1.0, 2.0] }
-- output { [0.0, 0.0] }
-- input { [1.0, 2.0, 4.0, 8.0, 16.0] }
-- output { [0.0, 3.0, 6.0, 12.0, 0.0] }

-- ==
-- entry: checked
-- input { [1, 2, 3, 4] 0i64 }
-- output { 0 }
-- input { [1, 2, 3, 4] 3i64 }
-- output { 9 }
-- input { [1, 2, 3, 4] 4i64 }
-- error: Index \[4\] out of bounds for array of shape \[4\]
-- input { [1, 2, 3, 4] 9223372036854775807i64 }
-- error: Index \[4\] out of bounds for array of shape \[4\]
-- input { [1, 2, 3, 4] -5i64 }
-- output { 0 }

-- ==
-- entry: asserted
-- input { 5i64 9223372036854775807i64 }
-- output { 10i64 }
-- input { 5i64 3i64 }
-- error: Assertion is false
-- input { 0i64 -9223372036854775808i64 }
-- output { 0i64 }
-- input { 1i64 -9223372036854775808i64 }
-- error: Assertion is false

-- ==
-- entry: decided
-- input { [1.0, 2.0, 3.0] true }
-- output { [1.0, 4.0, 9.0] }
-- input { [1.0, 2.0, 3.0] false }
-- output { [3.0, 4.0, 5.0] }

-- ==
-- entry: pivot
-- input { [2, 3, 5] 2i64 }
-- output { [10, 15, 25] }
-- input { [2, 3, 5] 3i64 }
-- error: Index \[3\] out of bounds for array of shape \[3\]
-- input { empty([0]i32) 3i64 }
-- output { empty([0]i32) }

-- Each is called for a single row of a matrix, so that the map is a loop of a thread.
def row 'a 'b [n] (f: (i: i64) -> [n]a -> [n]b) (xs: [n]a): [n]b = (map (\i -> f i xs) (iota 1))[0]

entry clamped [n] (xs: [n]f64): [n]f64 =
  row (\_ xs -> map (\k -> xs[i64.max 0 (k - 1)] + xs[i64.min (n - 1) (k + 1)]) (iota n)) xs

entry bordered [n] (xs: [n]f64): [n]f64 =
  row (\_ xs -> map (\k -> if k == 0 || k == n - 1 then 0.0 else xs[k - 1] + xs[k]) (iota n)) xs

-- The elements after the first, up to `m`: the least index out of bounds is reported.
entry checked [n] (xs: [n]i32) (m: i64): i32 =
  (map (\i -> loop sum = i32.i64 i for k < m do sum + xs[k + 1]) (iota 1))[0]

-- The last number may be any limit.
entry asserted (n: i64) (m: i64): i64 =
  (map (\i -> loop sum = i for k < n do assert (k - 1 < m && k + 1 <= m) (sum + k)) (iota 1))[0]

entry decided [n] (xs: [n]f64) (squares: bool): [n]f64 =
  row (\_ xs -> map (\x -> if squares then x * x else x + xs[n - 1] - f64.i64 (n - 2)) xs) xs

entry pivot [n] (xs: [n]i32) (m: i64): [n]i32 = row (\_ xs -> map (\x -> x * xs[m]) xs) xs
