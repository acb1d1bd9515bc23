-- Operators of scans and reductions that call a function with several results. The host has one area for
-- the arguments of segments and one for the results of calls, which must not overlap.
-- ==
-- entry: scanned
-- input { 1i64 }
-- output { true }
-- input { 100000i64 }
-- output { true }
-- entry: reduced
-- input { 1i64 }
-- output { true }
-- input { 100000i64 }
-- output { true }

#[noinline]
def four (a: i64) (b: i64): (i64, i64, i64, i64) = (a + b, a * 3, b * 5, a - b)

#[noinline]
def five (a: i64) (b: i64): (i64, i64, i64, i64, i64) = (a + b, a * 3, b * 5, a - b, a ^ b)

#[noinline]
def six (a: i64) (b: i64): (i64, i64, i64, i64, i64, i64) = (a + b, a * 3, b * 5, a - b, a ^ b, a & b)

-- | The sum. The other results are used in terms that are zero, since unused results of calls are dropped.
def sum_by_four (a: i64) (b: i64): i64 =
  let (sum, c, d, e) = four a b
  in sum + (c - a * 3) + (d - b * 5) + (e - (a - b))

def sum_by_five (a: i64) (b: i64): i64 =
  let (sum, c, d, e, f) = five a b
  in sum + (c - a * 3) + (d - b * 5) + (e - (a - b)) + (f - (a ^ b))

def sum_by_six (a: i64) (b: i64): i64 =
  let (sum, c, d, e, f, g) = six a b
  in sum + (c - a * 3) + (d - b * 5) + (e - (a - b)) + (f - (a ^ b)) + (g - (a & b))

def is_sum (sum: i64) (i: i64): bool = sum == i * (i + 1) / 2

#[noinline]
def numbers (n: i64): [n]i64 = iota n

entry scanned (n: i64): bool =
  let xs = numbers n
  let sums = [scan sum_by_four 0 xs, scan sum_by_five 0 xs, scan sum_by_six 0 xs]
  in all (\sums -> all id (map2 is_sum sums (iota n))) sums

entry reduced (n: i64): bool =
  let xs = numbers n
  in all (\sum -> is_sum sum (n - 1)) [reduce sum_by_four 0 xs, reduce sum_by_five 0 xs, reduce sum_by_six 0 xs]
