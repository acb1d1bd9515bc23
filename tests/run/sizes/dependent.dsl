-- Results whose sizes are arguments, also where the function is an argument or partly applied.
-- ==
-- entry: partial
-- input { 3i64 } output { [7, 7, 7] [true, true, true] }
-- entry: passed
-- input { 4i64 } output { [0i64, 1i64, 2i64, 3i64] }
-- entry: bound_inside
-- input { 2i64 } output { [1, 1, 1, 1] }
-- entry: let_name
-- input { 2i64 } output { [0i64, 1i64, 2i64] }
-- entry: unwitnessed
-- input { [1i64, 2i64] } output { 2i64 }
-- entry: rows
-- input { 2i64 3i64 } output { [[0i64, 1i64, 2i64], [3i64, 4i64, 5i64]] }
-- entry: constant
-- input { } output { [0i64, 1i64, 2i64, 3i64] }
-- entry: sizes_of_calls
-- input { [1, 2, 3] } output { [1, 2, 3, 1, 2, 3] }

entry partial (n: i64): ([n]i32, [n]bool) =
  let fill 't (x: t) = replicate n x
  let sevens = replicate n
  in (sevens 7, fill true)

def apply_to (n: i64) (f: (m: i64) -> [m]i64): [n]i64 = f n

entry passed (n: i64): [n]i64 = apply_to n (\m -> iota m)

entry bound_inside (n: i64): []i32 =
  let fill = replicate (let m = n in m * m)
  in fill 1i32

entry let_name (n: i64): [n + 1]i64 =
  let m = n + 1
  in iota m

def size_of [n] (_: [n]i64 -> i64): i64 = n

entry unwitnessed [n] (xs: [n]i64): i64 =
  size_of (\(ys: [n]i64) -> i64.sum (map2 (+) xs ys))

entry rows (n: i64) (m: i64): [n][m]i64 = map (\i -> map (\j -> i * m + j) (iota m)) (iota n)

def four: i64 = 4

entry constant: [four]i64 = iota four

def twice [n] (xs: [n]i32): [n + n]i32 = concat xs xs

entry sizes_of_calls (xs: []i32): []i32 = twice xs
