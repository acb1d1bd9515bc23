-- A call that would never return is not made if an assertion before it does not hold.
-- ==
-- tags { no_gpu }
-- entry: factorial
-- input { 5i64 } output { 120i64 }
-- input { -1i64 } error: Assertion is false: \(n >= 0\)
def product (n: i64): i64 = if n == 0 then 1 else n * product (n - 1)

entry factorial (n: i64): i64 = assert (n >= 0) (product n)
