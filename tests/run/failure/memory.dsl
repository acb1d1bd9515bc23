-- More memory than there is: an error, not a crash.
-- ==
-- entry: huge
-- input { 1099511627776i64 }
-- error: memory
-- entry: negative
-- input { -1i64 }
-- error: invalid

entry huge (n: i64): i64 =
  let xs = iota n
  in xs[n - 1] + xs[n / 2] + length (filter (> 3) xs)

entry negative (n: i64): i64 = reduce (+) 0 (iota n)
