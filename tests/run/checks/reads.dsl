-- A read out of bounds fails, even if the value is known without the array because all its elements are
-- equal.
-- ==
-- entry: replicated
-- input { 3i64 2i64 } output { 5 }
-- input { 3i64 3i64 } error: Index \[3\] out of bounds for array of shape \[3\]
-- input { 0i64 0i64 } error: Index \[0\] out of bounds for array of shape \[0\]
entry replicated (n: i64) (k: i64): i32 = (replicate n 5i32)[k]

-- ==
-- entry: replicated_at_points
-- input { 3i64 0i64 } output { 9 }
-- input { 3i64 5i64 } error: Index \[5\] out of bounds for array of shape \[3\]
-- input { 0i64 5i64 } output { 0 }
entry replicated_at_points (n: i64) (k: i64): i32 =
  let xs = replicate n 3
  in i32.sum (map (\i -> xs[i + k]) (iota n))

-- ==
-- entry: head_of_none last_of_none
-- input { 3 } error: out of bounds for array of shape \[0\]
entry head_of_none (x: i32): i32 = head (replicate 0 x)
entry last_of_none (x: i32): i32 = last (replicate 0 x)

-- ==
-- entry: counted counted_backwards counted_and_compared
-- input { 9i64 2i64 } output { 5i64 }
-- input { 4i64 2i64 } error: out of bounds for array of shape \[4\]
entry counted (n: i64) (k: i64): i64 = (iota n)[k + 5] - k
entry counted_backwards (n: i64) (k: i64): i64 = n - 1 - (reverse (iota n))[k + 5] - k
entry counted_and_compared (n: i64) (k: i64): i64 = i64.bool ((iota n)[k + 5] > k) * 5

-- ==
-- entry: literal
-- input { 2i64 } output { 1 }
-- input { 3i64 } error: Index \[3\] out of bounds for array of shape \[3\]
entry literal (k: i64): i32 = [1, 1, 1i32][k]

-- ==
-- entry: reversed rotated turned row of_pairs tabulated updated scattered mapped_to_one
-- input { 3i64 1i64 } output { 7 }
-- input { 3i64 3i64 } error: Index \[3(, 0)?\] out of bounds
-- input { 3i64 -1i64 } error: Index \[-1(, 0)?\] out of bounds
entry reversed (n: i64) (k: i64): i32 = (reverse (replicate n 7))[k]
entry rotated (n: i64) (k: i64): i32 = (rotate 1 (replicate n 7))[k]
entry turned (n: i64) (k: i64): i32 = (transpose (replicate 2 (replicate n 7)))[k, 0]
entry row (n: i64) (k: i64): i32 = (replicate n (replicate 2 7))[k][1]
entry of_pairs (n: i64) (k: i64): i32 = (replicate n (7, true))[k].0
entry tabulated (n: i64) (k: i64): i32 = (tabulate n (\_ -> 7))[k]
entry updated (n: i64) (k: i64): i32 = ((replicate n 7) with [k] = 8)[0] + i32.bool (k == 0) * -1
entry scattered (n: i64) (k: i64): i32 = (scatter (replicate n 7) [0] [7])[k]
entry mapped_to_one (n: i64) (k: i64): i32 = (map (\_ -> 7) (iota n))[k]

-- ==
-- entry: part
-- input { 3i64 1i64 } output { [7, 7] }
-- input { 3i64 4i64 } error: Index \[4:\] out of bounds for array of shape \[3\]
entry part (n: i64) (k: i64): []i32 = (replicate n 7)[k:]

-- ==
-- entry: element_of_a_part
-- input { 3i64 1i64 } output { 7 }
-- input { 3i64 2i64 } error: Index \[1\] out of bounds for array of shape \[1\]
-- input { 3i64 4i64 } error: Index \[4:\] out of bounds for array of shape \[3\]
entry element_of_a_part (n: i64) (k: i64): i32 = (replicate n 7)[k:][1]

-- ==
-- entry: beginning beginning_of_a_table
-- input { [1, 2, 3] [4, 5] } output { 14 }
-- input { [1, 2] [4, 5, 6] } error: out of bounds for array of shape \[2\]
entry beginning [n] [m] (xs: [n]i32) (_: [m]i32): i32 = i32.sum (map (\_ -> 7) xs)[:m]

entry beginning_of_a_table [n] [m] (xs: [n]i32) (_: [m]i32): i32 =
  i32.sum (map (\row -> row[0]) (map (\_ -> map (\_ -> 7) (iota 2)) xs)[:m])
