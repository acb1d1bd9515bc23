-- Too little memory is an error, not a crash.
-- ==
-- entry: huge
-- input { 1099511627776i64 }
-- error: memory
-- entry: negative
-- input { -1i64 }
-- error: invalid

-- The running sums must be in memory, since they are read out of order.
entry huge (n: i64): i64 =
  let xs = scan (+) 0 (iota n)
  in xs[n - 1] + xs[n / 2] + reduce (+) 0 (map (\x -> xs[x % n]) xs)

entry negative (n: i64): i64 = reduce (+) 0 (iota n)
