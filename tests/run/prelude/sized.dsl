-- A stated size, which is checked at run time.
-- ==
-- input { 3i64 }
-- output { 3i64 }
-- input { 2i64 }
-- error: Value of shape \[2\] cannot match shape of type "\[3\]

entry main (n: i64): i64 = i64.sum (sized 3 (iota n))
