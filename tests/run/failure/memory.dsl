-- More memory than there is: an error, not a crash.
-- ==
-- entry: huge
-- input { 1099511627776i64 }
-- error: memory
-- entry: negative
-- input { -1i64 }
-- error: invalid

-- Arrays that no thread comes to need no memory.
-- ==
-- entry: in_some
-- input { [false, false] 1000000000000i64 } output { [5i64, 5] }
-- input { [false, true] 1000000000000i64 } error: not enough memory for an array of 8000000000000 bytes
-- input { [false, true] 3i64 } output { [5i64, 3] }
-- entry: in_rounds
-- input { [0i64, -1] 1000000000000i64 } output { [0i64, 0] }
-- input { [0i64, 1] 1000000000000i64 } error: not enough memory for an array of 8000000000000 bytes
-- input { [0i64, 2] 3i64 } output { [0i64, 6] }
-- entry: alone
-- input { false 1000000000000i64 } output { 15i64 }
-- input { true 1000000000000i64 } error: not enough memory for an array of 8000000000000 bytes
-- input { true 3i64 } output { 9i64 }

-- All of the running sums have to be somewhere, for they are read out of order.
entry huge (n: i64): i64 =
  let xs = scan (+) 0 (iota n)
  in xs[n - 1] + xs[n / 2] + reduce (+) 0 (map (\x -> xs[x % n]) xs)

entry negative (n: i64): i64 = reduce (+) 0 (iota n)

-- Reads its array out of order, so that it has to be somewhere.
def turned (k: i64): i64 =
  (loop a = replicate k 1i64 for j < 3i64 do a with [j] = a[j] + a[k - 1 - j])[2]

entry in_some [n] (cs: [n]bool) (k: i64): [n]i64 = map (\c -> if c then turned k else 5) cs

entry in_rounds [n] (xs: [n]i64) (k: i64): [n]i64 =
  map (\x -> loop s = 0 for _i < x do s + turned k) xs

entry alone (c: bool) (k: i64): i64 = loop s = 0 for _i < 3i64 do s + (if c then turned k else 5)
