-- One definition used at several types, and sizes that are passed on.
-- ==
-- input { [1, 2, 3] [true, false, true] }
-- output { [3, 2, 1] [true, false, true] 6i64 [1, 2, 3, 1, 2, 3] }

def backwards [n] 'a (xs: [n]a): [n]a = map (\i -> xs[n - 1 - i]) (iota n)

def count [n] 'a (_: [n]a): i64 = n

def double [n] 'a (xs: [n]a): [n + n]a = concat xs xs

entry main [n] (xs: [n]i32) (bs: [n]bool): ([n]i32, [n]bool, i64, [n + n]i32) =
  (backwards xs, backwards bs, count (double xs), double xs)
