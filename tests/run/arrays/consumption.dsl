-- The order of consumption: an application consumes its arguments after all of them have been evaluated.
-- ==
-- entry: shift
-- input { [1, 2, 3, 4] }
-- output { [4, 1, 2, 3] }
-- input { empty([0]i32) }
-- output { empty([0]i32) }
-- entry: around
-- input { 3i64 [1, 2, 3, 4] }
-- output { [2, 3, 4, 1] }
-- entry: pairs
-- input { [1, 2] [3, 4] }
-- output { [5, 2] [3, 6] }
-- entry: swapped
-- input { 2 [1, 2] [3, 4] }
-- output { [7, 9] [3, 8] }
-- input { 3 [1, 2] [3, 4] }
-- output { [7, 9] [1, 8] }

-- The values are read from the array that the scatter overwrites.
entry shift [n] (xs: *[n]i32): [n]i32 =
  scatter xs (iota n) (map (\i -> xs[(i - 1) % n]) (iota n))

entry around [n] (k: i64) (xs: [n]i32): [n]i32 =
  loop ys = copy xs for _i < k do
    scatter ys (map (\i -> (i + 1) % n) (iota n)) (map (\i -> ys[i]) (iota n))

def set [n] (pair: *([n]i32, [n]i32)): ([n]i32, [n]i32) =
  let (a, b) = pair
  let a[0] = 5
  let b[1] = 6
  in (a, b)

entry pairs [n] (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32) = set (copy xs, copy ys)

entry swapped [n] (k: i32) (xs: *[n]i32) (ys: *[n]i32): ([n]i32, [n]i32) =
  let (a, b) = loop (a, b) = (xs, ys) for _i < k do (b, a with [1] = 9)
  let a[0] = 7
  in (a, b with [1] = 8)
