-- A named function owns the arrays that it creates, and may consume them in each call.
-- ==
-- entry: lambda
-- input { [1, 2, 3] } output { [4, 4, 4] }
-- entry: marked
-- input { [1, 2, 3] } output { [7, 2, 3] }

entry lambda [n] (xs: [n]i32): [n]i32 =
  let f = \x -> (loop a = replicate 3 x for j < 3 do a with [j] = 4)[i64.i32 x - 1]
  in map f xs

entry marked [n] (xs: *[n]i32): [n]i32 =
  let f = \(ys: *[n]i32) -> ys with [0] = 7
  in f xs
