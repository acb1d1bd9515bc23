-- Checks in the operators of reductions, in any order, of one row, of several rows, and of several values.
-- ==
-- entry: numbers
-- input { [1, 2, 3] } output { 6 }
-- input { empty([0]i32) } output { 0 }
-- input { [1, 100, 3] } error: Assertion is false

-- ==
-- entry: many
-- input { 1000i64 0i64 } output { 500.0 }
-- input { 1000i64 100i64 } error: Assertion is false
-- input { 200000i64 0i64 } output { 100000.0 }
-- input { 200000i64 150000i64 } error: Assertion is false

-- ==
-- entry: pairs
-- input { [3, 1, 2] } output { 6 3 }
-- input { [3, -1, 2] } error: Index \[-1\] out of bounds for array of shape \[4\]

-- ==
-- entry: rows
-- input { [[1, 2], [3, 4], [5, 6]] } output { [3, 7, 11] }
-- input { [[1, 2], [3, 100], [5, 6]] } error: Assertion is false

def small (a: i32) (b: i32): i32 = assert (a < 100 && b < 100) (a + b)

entry numbers (xs: []i32): i32 = reduce_comm small 0 xs

entry many (n: i64) (bad: i64): f64 =
  reduce_comm (\a b -> assert (a >= 0 && b >= 0) (a + b)) 0
              (map (\i -> if bad > 0 && i == bad then -1 else 0.5) (iota n))

entry pairs (xs: []i32): (i32, i32) =
  let table = [0, 1, 2, 3]
  in reduce_comm (\(a, m) (b, l) -> (a + b, i32.max m l + table[i32.min 3 l] - table[i32.min 3 l])) (0, 0)
                 (zip xs xs)

entry rows (xss: [][]i32): []i32 = map (reduce_comm small 0) xss
