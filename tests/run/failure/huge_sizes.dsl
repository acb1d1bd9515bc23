-- Numbers of points near 2^63, divided into chunks, parts and workgroups. No sum of sizes may overflow, since then
-- no point would run. Each case fails at its first points, or because there is too little memory.
-- ==
-- entry: histogram histograms of_arrays of_numbers filtered
-- input { 9223372036854775807i64 } error: Assertion is false: \(i < 5\)|not enough memory
-- input { 9223372036854775296i64 } error: Assertion is false: \(i < 5\)|not enough memory
-- input { 5i64 } output { 10i64 }
-- input { 0i64 } output { 0i64 }
def few (i: i64): i64 = assert (i < 5) i
entry histogram (n: i64): i64 = i64.sum (hist (+) 0 10 (map (\i -> few i % 10) (iota n)) (iota n))
entry histograms (n: i64): i64 = (map (\j -> i64.sum (hist (+) 0 10 (map (\i -> few i % 10) (iota n)) (map (* j) (iota n)))) (iota 2))[1]
entry of_arrays (n: i64): i64 = (reduce (map2 (+)) (replicate 3 0) (map (\i -> replicate 3 (few i)) (iota n)))[2]
entry of_numbers (n: i64): i64 = i64.sum (map few (iota n))
entry filtered (n: i64): i64 = i64.sum (filter (\i -> few i > 0) (iota n))

-- ==
-- entry: in_chunks
-- input { 9223372036854775807i64 } error: Assertion is false: \(i < 5\)|not enough memory
-- input { 5i64 } output { 10i64 }
-- input { 0i64 } output { 0i64 }
entry in_chunks (n: i64): i64 = stream_red (+) (\k (c: [k]i64) -> i64.sum (map few c)) (iota n)
