-- Elements partitioned into two and three arrays, whose sizes add up.
-- ==
-- entry: two
-- input { [3, -1, 4, -1, 5] } output { [3, 4, 5] [-1, -1] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }
-- entry: three
-- input { [3, -1, 0, 4, -7] } output { [3, 4] [-1, -7] [0] }
-- input { [0, 0] } output { empty([0]i32) empty([0]i32) [0, 0] }
-- entry: both_fulfilled
-- input { [1, 2, 3] } output { 3i64 0i64 0i64 }
-- entry: together
-- input { [3, -1, 4] } output { [3, 4, -1] }
-- entry: updated
-- input { [3, -1, 4] } output { [0, 4] [-1] }
-- entry: reversed
-- input { [3, -1, 4, -2, 5] } output { [3, 4, 5] [-2, -1] }
-- input { [-1, -2] } output { empty([0]i32) [-2, -1] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }
-- entry: reassembled
-- input { [3, -1, 4] } output { [3, 4, -1] }
-- entry: large
-- input { 100000i64 } output { 50000i64 33333i64 16667i64 }

entry two (xs: []i32) = partition (> 0) xs

entry three (xs: []i32) = partition2 (> 0) (< 0) xs

entry both_fulfilled (xs: []i32): (i64, i64, i64) =
  let (as, bs, cs) = partition2 (> 0) (> 1) xs
  in (length as, length bs, length cs)

-- The size of the second part is known: both sizes add up to that of the array.
entry together [n] (xs: [n]i32): [n]i32 =
  let [k] (as: [k]i32, bs: [n - k]i32) = partition (> 0) xs
  in sized n (as ++ bs)

entry reversed (xs: []i32) = semipartition (> 0) xs

entry reassembled [n] (xs: [n]i32): [n]i32 =
  let [k] (as: [k]i32, bs: [n - k]i32) = semipartition (> 0) xs
  in sized n (as ++ bs)

entry updated (xs: []i32) =
  let (as, bs) = partition (> 0) (map (+ 0) xs)
  in (copy as with [0] = 0, bs)

entry large (n: i64): (i64, i64, i64) =
  let (as, bs, cs) = partition2 (\i -> i % 2 == 0) (\i -> i % 3 != 0) (iota n)
  in (length as, length bs, length cs)
