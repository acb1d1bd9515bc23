-- An update changes only the named elements.
-- ==
-- entry: element
-- input { [1, 2, 3] 1i64 9 }
-- output { [1, 9, 3] }
-- input { [1, 2, 3] 3i64 9 }
-- error: out of bounds
-- entry: part
-- input { [1, 2, 3, 4] }
-- output { [1, 20, 30, 4] [1, 2, 3, 4] }
-- entry: rows
-- input { [[1, 2], [3, 4]] }
-- output { [[1, 2], [5, 6]] }

entry element [n] (xs: *[n]i32) (i: i64) (x: i32): [n]i32 = xs with [i] = x

entry part [n] (xs: [n]i32): ([n]i32, [n]i32) =
  let ys = copy xs
  let ys[1:3] = [20, 30]
  in (ys, xs)

entry rows [n] (xss: *[n][2]i32): [n][2]i32 =
  let xss[1] = [5, 6]
  in xss
